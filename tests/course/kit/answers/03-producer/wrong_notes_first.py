from exactly_once.handlers.logs.producer import insist

REASON = "The producer dies once. After this schedule the log holds [1, 2]"


def answer(node):
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        insist(node.positions.save, next_positions)
        insist(node.output.push, items[0].value, items[0].key)
        positions = next_positions
