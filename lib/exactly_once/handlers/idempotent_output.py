"""A glimpse of the repair: an output in which each average has a place of its own, so that a repeated one is
recognised.

The places are cells of the lock-free queue that bears the output's name; compare-and-swap fills each of them once.
The window takes a reading once, too. The counter is in another system, and is incremented again after a crash.
"""


def idempotent_output(node):
    """Put the average of each pass into a place of its own, which is filled once; count and save as at-least-once."""
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push([item for item in items if item not in window.readings])
        window.trim(node.duration)
        node.crash_point("A")
        place = sum(positions.values()) // len(items)  # how many passes came before this one
        node.registers.cas(f"output.{place}", 0, window.average())
        if len(window) > node.threshold:
            node.crash_point("B")
            node.database.increment()
        node.crash_point("C")
        node.state.save(window)
        node.crash_point("D")
        node.positions.save(next_positions)
        node.crash_point("E")
        positions = next_positions
