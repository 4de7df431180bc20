"""Keeps all numbers beside the balance."""


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            number, amount = item.value
            version, held = node.registers.read(item.key)
            total, *seen = held or [0]
            if number not in seen:
                node.registers.cas(item.key, version, [total + amount, *seen, number])
        node.positions.save(positions)


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        node.output.push([after["numbers"], items[0].value], items[0].key)
        node.positions.save(after)
        positions = after


answer = {"producer": producer, "consumer": consumer}
