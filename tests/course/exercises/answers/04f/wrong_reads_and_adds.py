# Plausible: right when nothing goes wrong.
"""Reads the counter and writes one more: after a crash it finds its own effect."""

REASON = "One crash: after this schedule the counter is 3 and should be 2"


def answer(node):
    accounts = node.store("accounts")
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        node.registers.cas(f"output.{hour - 1}", 0, window.average())
        if len(window) > node.threshold:
            version, value = accounts.read("counter")
            accounts.cas("counter", version, (value or 0) + 1)
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions
