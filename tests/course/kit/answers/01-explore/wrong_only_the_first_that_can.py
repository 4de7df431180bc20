REASON = "finds nothing"


def explore(start, step, nodes, invariant):
    found, frontier = {start: ()}, [start]
    while frontier:
        state = frontier.pop(0)
        if not invariant(state):
            return found[state]
        # Plausible: one run, in which each node takes its steps in turn
        for node in nodes:
            after = step(state, node)
            if after is not None and after not in found:
                found[after] = (*found[state], node)
                frontier.append(after)
                break
    return None


answer = explore
