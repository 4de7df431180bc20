"""Saves hour by hour and pushes all averages at the end, so that one crash loses several."""

from exactly_once.pipeline import Window

REASON = "one crash may cost one item, no more"


def answer(node):
    saved = node.state.load()
    positions, window = saved if isinstance(saved, list) else (node.start, Window())
    waiting = []
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.state.save([positions, window])
        waiting.append((window.average(), len(window) > node.threshold))
    for average, counts in waiting:
        node.output.push(average)
        if counts:
            node.database.increment()
