"""Never saves a position, so that each life begins anew."""

REASON = "the readings of one hour may be counted twice, no more"


def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        for _ in items:
            node.database.increment()
