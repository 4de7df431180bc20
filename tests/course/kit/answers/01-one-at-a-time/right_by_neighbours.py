from itertools import pairwise


def answer(view):
    for (one, node, _), (other, *_) in pairwise(view.outputs):
        if one == other == "enters":
            return f"node {node} is still inside"
    return None
