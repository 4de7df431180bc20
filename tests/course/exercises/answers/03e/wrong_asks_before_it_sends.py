# Plausible: right under a crash, a lost request and a lost reply.
"""Numbers nothing, and looks into the log before it sends: a late request was not there yet."""

from exactly_once.errors import OutcomeUnknown

REASON = "One request that arrives twice: "


def insist(operation, *arguments):
    while True:
        try:
            return operation(*arguments)
        except OutcomeUnknown:
            pass


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        while len(insist(node.output.read)) < after["numbers"]:
            try:
                node.output.push(items[0].value, items[0].key)
            except OutcomeUnknown:
                continue
        node.positions.save(after)
        positions = after


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            version, held = node.registers.read(item.key)
            total, newest = held or [0, -1]
            if item.offset > newest:
                node.registers.cas(item.key, version, [total + item.value, item.offset])
        node.positions.save(positions)


answer = {"producer": producer, "consumer": consumer}
