"""Keeps the offset beside the balance: it knows what it has read, and not what was sent twice."""

REASON = "One crash: "


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


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        node.output.push(items[0].value, items[0].key)
        node.positions.save(after)
        positions = after


answer = {"producer": producer, "consumer": consumer}
