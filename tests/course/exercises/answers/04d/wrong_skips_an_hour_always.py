"""Leaves out the last hour, to be on the safe side."""

from exactly_once.pipeline import Window

REASON = "Even when nothing goes wrong"


def answer(node):
    saved = node.state.load()
    positions, window = saved if isinstance(saved, list) else (node.start, Window())
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.state.save([positions, window])
        if node.running(positions):
            node.output.push(window.average())
            if len(window) > node.threshold:
                node.database.increment()
