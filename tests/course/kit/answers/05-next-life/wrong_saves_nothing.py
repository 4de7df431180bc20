from exactly_once.handlers.logs.idempotent import kept_id
from exactly_once.handlers.logs.producer import insist

REASON = "Save the position after each record"


def answer(node):
    identity = kept_id(node)
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        record, append = (items[0].key, items[0].value), node.log.append
        insist(append, "readings", [record], "all", identity, 0, positions["numbers"])
        positions = next_positions
