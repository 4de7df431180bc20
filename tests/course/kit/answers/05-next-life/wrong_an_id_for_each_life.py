from exactly_once.handlers.logs.producer import insist

REASON = "The producer dies once"


def answer(node):
    identity = insist(node.log.producer_id, "readings")
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        record, append = (items[0].key, items[0].value), node.log.append
        insist(append, "readings", [record], "all", identity, 0, positions["numbers"])
        insist(node.positions.save, next_positions)
        positions = next_positions
