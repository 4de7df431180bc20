from exactly_once.handlers.logs.producer import attempt, insist

REASON = "One request is lost. After this schedule the log holds [1, 2]: record 3 is lost"


def answer(node):
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        attempt(node.output.push, items[0].value, items[0].key)
        insist(node.positions.save, next_positions)
        positions = next_positions
