"""The handler `at_least_once` in lines that fit a projector, without crash points: for the demo's adversary.

It stands here and not beside the demo, because the child process that plays it imports its package at each move.
"""


def at_least_once(node):
    """Push the average of each hour's window, count the windows above the threshold, save state, then positions."""
    at = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_ = node.read(at)
        window.push(items)
        window.trim(node.duration)
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save(window)
        node.positions.save(next_)
        at = next_
