REASON = "is shorter"


def explore(start, step, nodes, invariant):
    found, frontier = {start: ()}, [start]
    while frontier:
        state = frontier.pop(0)
        if not invariant(state):
            return found[state]
        # Plausible: finds it too, and not the simplest way there
        for node in nodes:
            after = step(state, node)
            if after is not None and after not in found:
                found[after] = (*found[state], node)
                frontier.insert(0, after)
    return None


answer = explore
