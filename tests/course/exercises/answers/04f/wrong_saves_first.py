# Plausible: right when nothing goes wrong.
"""Saves before the effects: a crash in between loses them."""

from exactly_once.pipeline import Window

REASON = "One crash: after this schedule the average of hour"


def answer(node):
    accounts, saved = node.store("accounts"), node.state.load()
    positions, window, count = saved if isinstance(saved, list) else [node.start, Window(), 0]
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        counts = len(window) > node.threshold
        node.state.save([positions, window, count + counts])
        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
        if counts:
            accounts.cas("counter", count, count + 1)
            count += 1
