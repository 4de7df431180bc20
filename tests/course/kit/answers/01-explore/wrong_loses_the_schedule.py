REASON = "this breaks no invariant"


def explore(start, step, nodes, invariant):
    seen, frontier = {start}, [(start, ())]
    while frontier:
        state, schedule = frontier.pop(0)
        if not invariant(state):
            return schedule
        for node in nodes:
            after = step(state, node)
            if after is not None and after not in seen:
                seen.add(after)
                frontier.append((after, (node,)))
    return None


answer = explore
