"""Notes the number in a second register, after the balance."""

REASON = "One crash: "


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            number, amount = item.value
            noted, _ = node.registers.read(f"seen.{number}")
            if not noted:
                version, held = node.registers.read(item.key)
                node.registers.cas(item.key, version, (held or 0) + amount)
                node.registers.cas(f"seen.{number}", 0, True)
        node.positions.save(positions)


def producer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, after = node.read(positions)
        node.output.push([after["numbers"], items[0].value], items[0].key)
        node.positions.save(after)
        positions = after


answer = {"producer": producer, "consumer": consumer}
