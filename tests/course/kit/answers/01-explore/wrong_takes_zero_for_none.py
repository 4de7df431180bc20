REASON = "looked at 2 states, and 3"


def explore(start, step, nodes, invariant):
    found, frontier = {start: ()}, [start]
    while frontier:
        state = frontier.pop(0)
        if not invariant(state):
            return found[state]
        for node in nodes:
            after = step(state, node)
            # Plausible: 0 and () are states as well
            if after and after not in found:
                found[after] = (*found[state], node)
                frontier.append(after)
    return None


answer = explore
