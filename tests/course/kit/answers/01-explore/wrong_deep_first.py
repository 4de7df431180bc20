REASON = "is shorter"


def explore(start, step, nodes, invariant):
    seen, frontier = {start}, [(start, ())]
    while frontier:
        state, schedule = frontier.pop(0)
        if not invariant(state):
            return schedule
        # Plausible: finds it too, and not the simplest way there
        for node in nodes:
            after = step(state, node)
            if after is not None and after not in seen:
                seen.add(after)
                frontier.insert(0, (after, (*schedule, node)))
    return None


answer = explore
