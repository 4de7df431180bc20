"""The handler on the demo's screen of the adversary: `at_least_once` in lines that fit a projector."""


def at_least_once(node):
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
