# Plausible: right under a crash.
"""Catches OutcomeUnknown and goes on, as if the increment had arrived."""

from exactly_once.errors import OutcomeUnknown

REASON = "One lost request: After this schedule the counter is 7"


def answer(node):
    positions = node.positions.load()
    while node.running():
        items, positions = node.read(positions)
        for _ in items:
            try:
                node.database.increment()
            except OutcomeUnknown:
                continue
        node.positions.save(positions)
