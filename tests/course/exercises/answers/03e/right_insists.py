"""Asks again for whatever gets no answer; a repeated cas is refused, which does no harm."""

from exactly_once.errors import OutcomeUnknown


def insist(operation, *arguments):
    while True:
        try:
            return operation(*arguments)
        except OutcomeUnknown:
            pass


def producer(node):
    positions = insist(node.positions.load)
    while node.running(positions):
        items, after = insist(node.read, positions)
        insist(node.output.push, [after["numbers"], items[0].value], items[0].key)
        insist(node.positions.save, after)
        positions = after


def consumer(node):
    positions = insist(node.positions.load)
    while node.running(positions):
        items, positions = insist(node.read, positions)
        for item in items:
            number, amount = item.value
            version, held = insist(node.registers.read, item.key)
            total, newest = held or [0, 0]
            if number > newest:
                insist(node.registers.cas, item.key, version, [total + amount, number])
        insist(node.positions.save, positions)


answer = {"producer": producer, "consumer": consumer}
