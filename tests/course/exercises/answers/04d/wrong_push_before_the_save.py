# Plausible: right when nothing goes wrong.
"""One cell for both, but the average is pushed before it."""

from exactly_once.pipeline import Window

REASON = "is in the output more than once"


def answer(node):
    saved = node.state.load()
    positions, window = saved if isinstance(saved, list) else (node.start, Window())
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.output.push(window.average())
        node.state.save([positions, window])
        if len(window) > node.threshold:
            node.database.increment()
