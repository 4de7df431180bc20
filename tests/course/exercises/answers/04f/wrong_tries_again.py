# Plausible: right when nothing goes wrong, and under a crash or a lost request.
"""Asks again when the outcome is unknown, with a fresh look at the counter, which may hold the first try."""

from exactly_once.errors import OutcomeUnknown
from exactly_once.pipeline import Window

REASON = "One lost reply: after this schedule the counter is 3"


def answer(node):
    accounts, saved = node.store("accounts"), node.state.load()
    positions, window, count = saved if isinstance(saved, list) else [node.start, Window(), 0]
    while node.running(positions):
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.registers.cas(f"output.{items[0].hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            try:
                accounts.cas("counter", count, count + 1)
            except OutcomeUnknown:
                version, value = accounts.read("counter")
                accounts.cas("counter", version, (value or 0) + 1)
            count += 1
        node.state.save([positions, window, count])
