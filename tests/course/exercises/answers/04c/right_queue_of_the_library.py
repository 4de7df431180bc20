"""Uses the library's queue, and one cell for positions and window."""

from exactly_once.lockfree.queue import Queue
from exactly_once.pipeline import Window


def answer(node):
    queue = Queue(node.registers, "output")
    saved = node.state.load()
    positions, window = saved if isinstance(saved, list) else (node.start, Window())
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        queue.push_at_idempotent(window.average(), max(item.hour for item in items) - 1)
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save([positions, window])
