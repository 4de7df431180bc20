REASON = "is shorter"


def explore(start, step, nodes, invariant):
    found, frontier = {start: ()}, [start]
    while frontier:
        state = frontier.pop(0)
        if not invariant(state):
            return found[state]
        for node in nodes:
            after = step(state, node)
            # Plausible: what is known is not looked at again, and its schedule is replaced all the same
            if after is not None:
                if after not in found:
                    frontier.append(after)
                found[after] = (*found[state], node)
    return None


answer = explore
