"""Answers to the gap 01-one-at-a-time."""

from tests.course.answers import Answers

answers = Answers("01-one-at-a-time")

answers.right("by counting the end").code("""
    def answer(view):
        entered = sum(what == "enters" for what, *_ in view.outputs)
        return entered - (len(view.outputs) - entered) < 2
""")

answers.right("by neighbours").code("""
    from itertools import pairwise


    def answer(view):
        for (one, node, _), (other, *_) in pairwise(view.outputs):
            if one == other == "enters":
                return f"node {node} is still inside"
        return None
""")

answers.wrong("different nodes", reason="two nodes are inside at once, and your invariant gives True").code("""
    def answer(view):
        inside = [node for what, node, _ in view.outputs if what == "enters"]
        return len(inside) < 3
""")

answers.wrong("each node once", reason="two nodes were never inside at once").code("""
    def answer(view):
        entered = [node for what, node, _ in view.outputs if what == "enters"]
        inside = sum(1 if what == "enters" else -1 for what, *_ in view.outputs)
        return inside < 2 and len(entered) == len(set(entered))
""")

answers.wrong("looks at the last alone", reason="and your lines fail: IndexError").code("""
    def answer(view):
        return view.outputs[-1][0] == "leaves" or view.outputs[-2][0] == "leaves"
""")

answers.wrong("nobody ever", reason="your invariant gives False").code("""
    def answer(view):
        return not any(what == "enters" for what, *_ in view.outputs)
""")

# Plausible: an invariant holds at every moment.
answers.wrong("only at the end", reason="two nodes are inside at once, and your invariant gives True").code("""
    def answer(view):
        if not view.done:
            return True
        return [what for what, *_ in view.outputs][::2].count("enters") == len(view.outputs) / 2
""")

# Plausible: more than was asked, node 2 may be the first.
answers.wrong("the order of requests", reason="two nodes were never inside at once").code("""
    def answer(view):
        entered = [node for what, node, _ in view.outputs if what == "enters"]
        inside = sum(1 if what == "enters" else -1 for what, *_ in view.outputs)
        return inside < 2 and entered == sorted(entered)
""")

answers.wrong("who ever left", reason="enters 1, leaves 1, enters 1, enters 2").code("""
    # Plausible: a node that has left once may be inside again
    def answer(view):
        entered = {node for what, node, _ in view.outputs if what == "enters"}
        left = {node for what, node, _ in view.outputs if what == "leaves"}
        return len(entered - left) <= 1
""")
