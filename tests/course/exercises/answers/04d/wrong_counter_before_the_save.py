"""One cell for both, but the increment comes before it."""

from exactly_once.pipeline import Window

REASON = "an increment is doubled"


def answer(node):
    saved = node.state.load()
    positions, window = saved if isinstance(saved, list) else (node.start, Window())
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save([positions, window])
        node.output.push(window.average())
