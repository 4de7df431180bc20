# Plausible: right for one life.
"""Keeps the numbers that it has seen in memory."""

REASON = "One crash: "


def consumer(node):
    positions, seen = node.positions.load(), set()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            number, amount = item.value
            if number not in seen:
                version, held = node.registers.read(item.key)
                node.registers.cas(item.key, version, (held or 0) + amount)
                seen.add(number)
        node.positions.save(positions)


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        node.output.push([after["numbers"], items[0].value], items[0].key)
        node.positions.save(after)
        positions = after


answer = {"producer": producer, "consumer": consumer}
