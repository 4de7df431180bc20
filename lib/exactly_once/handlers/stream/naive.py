"""The naive stream handlers with crash points A–E, and a glimpse of the repair.

`at_least_once` is as the article on concurrent exactly-once gives it: output first, positions last, so that after a
crash the pass is repeated, and its earlier writes are written twice. In `at_most_once` the positions are saved first:
after a crash the pass is not done again, so it may be lost.

In `idempotent_output` each average has a place of its own, so that a repeated one is recognised. The places are cells
of the lock-free queue that bears the output's name; compare-and-swap fills each of them once. The window takes a
reading once, too. The counter is in another system, and is incremented again after a crash.
"""


def at_least_once(node):
    """Push the average of each hour's window, count the windows above the threshold, save state, then positions."""
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.crash_point("A")
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.crash_point("B")
            node.database.increment()
        node.crash_point("C")
        node.state.save(window)
        node.crash_point("D")
        node.positions.save(next_positions)
        node.crash_point("E")
        positions = next_positions


def at_most_once(node):
    """Save positions and state first, then push the average and count: nothing is ever written twice."""
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.crash_point("A")
        node.positions.save(next_positions)
        node.crash_point("B")
        node.state.save(window)
        node.crash_point("C")
        node.output.push(window.average())
        node.crash_point("D")
        if len(window) > node.threshold:
            node.database.increment()
        node.crash_point("E")
        positions = next_positions


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
