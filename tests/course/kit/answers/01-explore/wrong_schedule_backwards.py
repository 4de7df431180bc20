REASON = "this breaks no invariant"


def explore(start, step, nodes, invariant):
    found, frontier = {start: ()}, [start]
    while frontier:
        state = frontier.pop(0)
        if not invariant(state):
            return found[state]
        for node in nodes:
            after = step(state, node)
            if after is not None and after not in found:
                found[after] = (node, *found[state])
                frontier.append(after)
    return None


answer = explore
