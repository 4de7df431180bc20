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
