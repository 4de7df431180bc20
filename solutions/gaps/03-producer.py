from exactly_once.course.kit import gap
from exactly_once.errors import OutcomeUnknown


def insist(operation, *arguments):
    while True:
        try:
            return operation(*arguments)
        except OutcomeUnknown:
            continue


def retrying(node):
    positions = insist(node.positions.load)
    while node.running(positions):
        items, next_positions = insist(node.read, positions)
        ### BEGIN SOLUTION
        insist(node.output.push, items[0].value, items[0].key)
        insist(node.positions.save, next_positions)
        ### END SOLUTION
        positions = next_positions


written = gap("03-producer", retrying)
written
