"""Fixes in a register which version the hour's count expects; whoever does it again finds it there."""


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
            version, _ = accounts.read("counter")
            node.registers.cas(f"version.{hour}", 0, version)
            _, version = node.registers.read(f"version.{hour}")
            accounts.cas("counter", version, version + 1)
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions
