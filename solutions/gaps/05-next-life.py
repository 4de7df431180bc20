from exactly_once.course.kit import gap
from exactly_once.handlers.logs.idempotent import kept_id
from exactly_once.handlers.logs.producer import insist


def repaired(node):
    identity = kept_id(node)
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        record, append = (items[0].key, items[0].value), node.log.append
        ### BEGIN SOLUTION
        number = positions["numbers"]
        insist(append, "readings", [record], "all", identity, 0, number)
        insist(node.positions.save, next_positions)
        ### END SOLUTION
        positions = next_positions


survives = gap("05-next-life", repaired)
survives
