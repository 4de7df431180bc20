# Plausible: right under every kind of fault but the last.
"""Writes the count itself, which can be repeated, but not come late."""

from exactly_once.pipeline import Window

REASON = "One late request: after this schedule the counter is 1 and should be 2"


def answer(node):
    accounts, saved = node.store("accounts"), node.state.load()
    positions, window, count = saved if isinstance(saved, list) else [node.start, Window(), 0]
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            count += 1
            accounts.write("counter", count)
        node.state.save([positions, window, count])
