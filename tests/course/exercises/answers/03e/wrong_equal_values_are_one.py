"""Recognises a payment by its value."""

REASON = "Even when nothing goes wrong: "


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            version, held = node.registers.read(item.key)
            total, *seen = held or [0]
            if item.value not in seen:
                node.registers.cas(item.key, version, [total + item.value, *seen, item.value])
        node.positions.save(positions)


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        node.output.push(items[0].value, items[0].key)
        node.positions.save(after)
        positions = after


answer = {"producer": producer, "consumer": consumer}
