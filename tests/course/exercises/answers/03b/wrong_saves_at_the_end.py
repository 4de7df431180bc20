# Plausible: right when nothing goes wrong.
"""Saves the position once, after everything."""

REASON = "the readings of one hour may be counted twice, no more"


def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        for _ in items:
            node.database.increment()
    node.positions.save(positions)
