"""Lets the producer write to the accounts."""

REASON = "The producer writes to a register"


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        version, held = node.registers.read(items[0].key)
        node.registers.cas(items[0].key, version, (held or 0) + items[0].value)
        node.positions.save(after)
        positions = after


def consumer(node):
    return


answer = {"producer": producer, "consumer": consumer}
