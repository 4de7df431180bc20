REASON = "never were two inside at once"  # Plausible: more than was asked, node 2 may be the first


def answer(view):
    entered = [node for what, node, _ in view.outputs if what == "enters"]
    inside = sum(1 if what == "enters" else -1 for what, *_ in view.outputs)
    return inside < 2 and entered == sorted(entered)
