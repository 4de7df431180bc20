"""Saves the position before it books."""

REASON = "One crash: "


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        node.positions.save(positions)
        for item in items:
            number, amount = item.value
            version, held = node.registers.read(item.key)
            total, newest = held or [0, 0]
            if number > newest:
                node.registers.cas(item.key, version, [total + amount, number])


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        node.output.push([after["numbers"], items[0].value], items[0].key)
        node.positions.save(after)
        positions = after


answer = {"producer": producer, "consumer": consumer}
