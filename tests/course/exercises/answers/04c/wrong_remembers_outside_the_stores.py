"""Remembers in a variable what was pushed; the variable dies with the process."""

REASON = "is in the output more than once"


pushed = set()


def answer(node):
    positions, window = node.positions.load(), node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        hour = items[0].hour
        newest = max((reading.hour for reading in window.readings), default=0)
        window.push([item for item in items if item.hour > newest])
        window.trim(node.duration)
        if hour not in pushed:
            node.output.push(window.average())
            pushed.add(hour)
        if len(window) > node.threshold:
            node.database.increment()
        node.state.save(window)
        node.positions.save(next_positions)
        positions = next_positions
