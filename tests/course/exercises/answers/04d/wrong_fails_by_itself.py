"""Asks the window for its average before anything is in it."""

REASON = "An empty window has no average"


def answer(node):
    node.output.push(node.state.load().average())
