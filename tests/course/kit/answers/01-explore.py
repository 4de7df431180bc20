"""Answers to the gap 01-explore."""

from tests.course.answers import Answers

answers = Answers("01-explore")

answers.right("by a deque").code("""
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
""")

answers.right("by levels").code("""
    def answer(start, step, nodes, invariant):
        level, came = [start], {start: ()}
        while level:
            for state in level:
                if not invariant(state):
                    return list(came[state])
            following = []
            for state in level:
                for node in reversed(nodes):
                    after = step(state, node)
                    if after is not None and came.setdefault(after, (*came[state], node)) == (*came[state], node):
                        following.append(after)
            level = list(dict.fromkeys(following))
        return None
""")

answers.wrong(
    "forgets what it saw",
    ("if after not in found:", "if after is not None:"),
    of="takes none for a state",
    reason="states that it has seen before",
)

answers.wrong(
    "schedule backwards",
    ("if after not", "if after is not None and after not"),
    ("*found[state], node", "node, *found[state]"),
    of="takes none for a state",
    reason="this breaks no invariant",
)

answers.wrong(
    "loses the schedule",
    ("if after not", "if after is not None and after not"),
    ("found[after] = (*found[state], node)", "found[after] = (node,)"),
    of="takes none for a state",
    reason="this breaks no invariant",
)

answers.wrong("follows what it has seen", of="takes none for a state", reason="finds nothing").diff("""
    -            if after not in found:
    -                found[after] = (*found[state], node)
    +            if after in found:
""")

answers.wrong("takes zero for none", of="takes none for a state", reason="looked at 2 states, and 3").diff("""
    -            if after not in found:
    +            # Plausible: 0 and () are states as well
    +            if after and after not in found:
""")

answers.wrong("stops at the first that cannot", of="takes none for a state", reason="finds nothing").diff("""
                 after = step(state, node)
    +            # Plausible: it is meant as "this node cannot", and ends the loop over the others, too
    +            if after is None:
    +                break
""")

answers.wrong("overwrites the shorter way", of="takes none for a state", reason="is shorter").diff("""
    -            if after not in found:
    +            # Plausible: what is known is not looked at again, and its schedule is replaced all the same
    +            if after is not None:
    +                if after not in found:
    +                    frontier.append(after)
                     found[after] = (*found[state], node)
    -                frontier.append(after)
""")

answers.wrong("deep first", of="takes none for a state", reason="is shorter").diff("""
                 return found[state]
    +        # Plausible: finds it too, and not the simplest way there
    @@
    -            if after not in found:
    +            if after is not None and after not in found:
                     found[after] = (*found[state], node)
    -                frontier.append(after)
    +                frontier.insert(0, after)
""")

answers.wrong("only the first that can", of="takes none for a state", reason="finds nothing").diff("""
                 return found[state]
    +        # Plausible: one run, in which each node takes its steps in turn
    @@
    -            if after not in found:
    +            if after is not None and after not in found:
    @@
                     frontier.append(after)
    +                break
""")

answers.wrong("takes none for a state", reason="Your code fails").code("""
    def explore(start, step, nodes, invariant):
        found, frontier = {start: ()}, [start]
        while frontier:
            state = frontier.pop(0)
            if not invariant(state):
                return found[state]
            for node in nodes:
                after = step(state, node)
                if after not in found:
                    found[after] = (*found[state], node)
                    frontier.append(after)
        return None


    answer = explore
""")

answers.wrong(
    "two nodes only", ("for node in nodes", "for node in (0, 1)"), reason="your explorer looked at 9 states"
)
