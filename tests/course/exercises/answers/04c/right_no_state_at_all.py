"""Keeps no window: each life reads the last hours again."""

from exactly_once.pipeline import Window


def answer(node):
    positions = node.positions.load()
    while node.running(positions):
        window = Window()
        at = {stream: max(0, offset + 1 - node.duration) for stream, offset in positions.items()}
        while at != {stream: offset + 1 for stream, offset in positions.items()}:
            items, at = node.read(at)
            window.push(items)
        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            node.database.increment()
        node.positions.save(at)
        positions = at
