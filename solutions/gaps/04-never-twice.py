from exactly_once.course.kit import gap


def never_twice(node):
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        ### BEGIN SOLUTION
        node.positions.save(next_positions)
        node.state.save(window)
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.database.increment()
        ### END SOLUTION
        positions = next_positions


ordered = gap("04-never-twice", never_twice)
ordered
