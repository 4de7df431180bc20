# Plausible: right when nothing goes wrong.
"""Numbers the payments in memory, and begins anew in each life."""

REASON = "One crash: "


def producer(node):
    positions, number = node.positions.load(), 0
    while node.running(positions):
        items, positions = node.read(positions)
        number += 1
        node.output.push([number, items[0].value], items[0].key)
        node.positions.save(positions)


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            number, amount = item.value
            version, held = node.registers.read(item.key)
            total, newest = held or [0, 0]
            if number > newest:
                node.registers.cas(item.key, version, [total + amount, number])
        node.positions.save(positions)


answer = {"producer": producer, "consumer": consumer}
