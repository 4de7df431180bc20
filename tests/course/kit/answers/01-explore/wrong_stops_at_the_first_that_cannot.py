REASON = "finds nothing"


def explore(start, step, nodes, invariant):
    found, frontier = {start: ()}, [start]
    while frontier:
        state = frontier.pop(0)
        if not invariant(state):
            return found[state]
        for node in nodes:
            after = step(state, node)
            # Plausible: it is meant as "this node cannot", and ends the loop over the others, too
            if after is None:
                break
            if after not in found:
                found[after] = (*found[state], node)
                frontier.append(after)
    return None


answer = explore
