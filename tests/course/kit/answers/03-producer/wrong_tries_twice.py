from exactly_once.errors import OutcomeUnknown
from exactly_once.handlers.logs.producer import attempt, insist

REASON = "Two requests are lost. After this schedule the log holds"


def answer(node):
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        try:
            node.output.push(items[0].value, items[0].key)
        except OutcomeUnknown:
            attempt(node.output.push, items[0].value, items[0].key)
        insist(node.positions.save, next_positions)
        positions = next_positions
