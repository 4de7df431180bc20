"""A glimpse of the repair: an output in which each average has a place of its own, so that a repeated one is
recognised.

The places are cells of the lock-free queue that bears the output's name; compare-and-swap fills each of them once.
The window takes a reading once, too. The counter is in another system, and is incremented again after a crash.
"""


def idempotent_output(node):
    """Put the average of each hour into a place of its own, which is filled once; count and save as at-least-once.

    The place is the offset of the hour's readings, which is the same in both streams, as they arrive together.
    """
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        if items[0] not in window.readings:
            window.push(items)
        window.trim(node.duration)
        node.crash_point("A")
        name = f"output.{positions['seattle']}"
        node.registers.cas(name, 0, window.average())
        if len(window) > node.threshold:
            node.crash_point("B")
            node.database.increment()
        node.crash_point("C")
        node.state.save(window)
        node.crash_point("D")
        node.positions.save(next_positions)
        node.crash_point("E")
        positions = next_positions
