"""Saves nothing: the second life begins at hour 1."""

from exactly_once.pipeline import Window

REASON = "is in the output more than once"


def answer(node):
    positions, window = node.start, Window()
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.database.increment()
