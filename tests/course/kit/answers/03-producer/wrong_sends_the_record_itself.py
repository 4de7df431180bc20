from exactly_once.handlers.logs.producer import insist

REASON = "it should hold records 1, 2 and 3"


def answer(node):
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        insist(node.output.push, items[0])
        insist(node.positions.save, next_positions)
        positions = next_positions
