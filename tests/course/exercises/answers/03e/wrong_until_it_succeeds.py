# Plausible: right under a crash and a lost request.
"""Tries the cas until it succeeds, with a new version each time and the old question."""

from exactly_once.errors import OutcomeUnknown

REASON = "One lost reply: "


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            number, amount = item.value
            _, held = node.registers.read(item.key)
            if number > (held or [0, 0])[1]:
                book(node, item.key, number, amount)
        node.positions.save(positions)


def book(node, key, number, amount):
    booked = False
    while not booked:
        version, held = node.registers.read(key)
        try:
            booked = node.registers.cas(key, version, [(held or [0])[0] + amount, number])
        except OutcomeUnknown:
            continue


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        node.output.push([after["numbers"], items[0].value], items[0].key)
        node.positions.save(after)
        positions = after


answer = {"producer": producer, "consumer": consumer}
