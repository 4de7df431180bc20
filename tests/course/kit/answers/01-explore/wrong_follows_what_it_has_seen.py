REASON = "finds nothing"


def explore(start, step, nodes, invariant):
    seen, frontier = {start}, [(start, ())]
    while frontier:
        state, schedule = frontier.pop(0)
        if not invariant(state):
            return schedule
        for node in nodes:
            after = step(state, node)
            if after in seen:
                frontier.append((after, (*schedule, node)))
    return None


answer = explore
