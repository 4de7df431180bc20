from exactly_once.handlers.logs.idempotent import kept_id
from exactly_once.handlers.logs.producer import insist


def answer(node):
    positions, identity = insist(node.positions.load), kept_id(node)
    number = positions["numbers"]
    while node.running(positions):
        items, positions = insist(node.read, positions)
        for item in items:
            insist(node.log.append, "readings", [(item.key, item.value)], "all", identity, 0, number)
            number += 1
        insist(node.positions.save, positions)
