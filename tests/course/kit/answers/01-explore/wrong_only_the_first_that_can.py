REASON = "finds nothing"


def explore(start, step, nodes, invariant):
    seen, frontier = {start}, [(start, ())]
    while frontier:
        state, schedule = frontier.pop(0)
        if not invariant(state):
            return schedule
        # Plausible: one run, in which each node takes its steps in turn
        for node in nodes:
            after = step(state, node)
            if after is not None and after not in seen:
                seen.add(after)
                frontier.append((after, (*schedule, node)))
                break
    return None


answer = explore
