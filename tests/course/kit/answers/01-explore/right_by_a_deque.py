from collections import deque


class Search:
    def __call__(self, start, step, nodes, invariant):
        frontier, schedules = deque([start]), {start: ()}
        while frontier:
            state = frontier.popleft()
            if not invariant(state):
                return schedules[state]
            reached = ((node, step(state, node)) for node in nodes)
            for node, after in reached:
                if after is None or after in schedules:
                    continue
                schedules[after] = (*schedules[state], node)
                frontier.append(after)
        return None


answer = Search()
