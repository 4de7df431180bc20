# Plausible: right when nothing goes wrong.
"""At-least-once on both sides, and nothing else."""

REASON = "One crash: "


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            version, held = node.registers.read(item.key)
            node.registers.cas(item.key, version, (held or 0) + item.value)
        node.positions.save(positions)


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        node.output.push(items[0].value, items[0].key)
        node.positions.save(after)
        positions = after


answer = {"producer": producer, "consumer": consumer}
