"""Counts hours, not readings."""

REASON = "Even when nothing goes wrong the counter is 4"


def answer(node):
    positions = node.positions.load()
    while node.running():
        _, positions = node.read(positions)
        node.database.increment()
        node.positions.save(positions)
