"""Forgets to load the position."""

REASON = "the readings of one hour may be counted twice, no more"


def answer(node):
    positions = node.start
    while node.running(positions):
        items, positions = node.read(positions)
        for _ in items:
            node.database.increment()
        node.positions.save(positions)
