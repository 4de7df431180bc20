from exactly_once.handlers.logs.producer import insist

REASON = "the log holds [1, 1, 2, 2, 3, 3]"


def answer(node):
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        insist(node.output.push, items[0].value, items[0].key)
        insist(node.output.push, items[0].value, items[0].key)
        insist(node.positions.save, next_positions)
        positions = next_positions
