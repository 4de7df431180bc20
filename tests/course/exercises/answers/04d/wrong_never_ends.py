"""Asks node.running() without the positions, which no load has told the node, in a loop that takes no step."""

REASON = "had not come to an end"


def answer(node):
    while node.running():
        continue
