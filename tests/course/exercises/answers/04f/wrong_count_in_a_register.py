# Plausible: right when nothing goes wrong.
"""Keeps count and window apart: between the two saves they disagree."""

REASON = "One crash: after this schedule the counter"


def answer(node):
    accounts = node.store("accounts")
    positions, window = node.positions.load(), node.state.load()
    version, count = node.registers.read("count")
    count = count or 0
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        node.registers.cas(f"output.{hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            accounts.cas("counter", count, count + 1)
            count += 1
            node.registers.cas("count", version, count)
            version += 1
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions
