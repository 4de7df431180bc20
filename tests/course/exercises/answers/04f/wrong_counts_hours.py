# Plausible: right for the first job, whatever strikes.
"""Takes the hour for the number of the window: right for the first job, where every hour counts."""

from exactly_once.pipeline import Window

REASON = "Even when nothing goes wrong, with Job(items=4"


def answer(node):
    accounts, saved = node.store("accounts"), node.state.load()
    positions, window, count = saved if isinstance(saved, list) else [node.start, Window(), 0]
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            count = items[0].hour
            accounts.cas("counter", count - 1, count)
        node.state.save([positions, window, count])
