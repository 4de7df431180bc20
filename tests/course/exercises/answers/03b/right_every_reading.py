"""Saves the position after each reading, stream by stream."""


def answer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        saved = {item.stream: positions[item.stream] - 1 for item in items}
        for item in items:
            node.database.increment()
            saved = {**saved, item.stream: positions[item.stream]}
            node.positions.save({**positions, **saved})
