from exactly_once.errors import OutcomeUnknown
from exactly_once.handlers.logs.producer import insist


def answer(node):
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        while True:
            try:
                node.output.push(items[0].value, items[0].key)
                node.positions.save(next_positions)
                break
            except OutcomeUnknown:
                if insist(node.positions.load) == next_positions:
                    break
        positions = next_positions
