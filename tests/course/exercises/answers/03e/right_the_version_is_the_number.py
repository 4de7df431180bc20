"""Numbers the payments of each account; the register's version is the last number."""


def producer(node):
    saved = node.state.load()
    saved = saved if isinstance(saved, dict) else {"at": node.start, "numbers": {}}
    while node.running(saved["at"]):
        items, after = node.read(saved["at"])
        key = items[0].key
        numbers = {**saved["numbers"], key: saved["numbers"].get(key, 0) + 1}
        node.output.push([numbers[key], items[0].value], key)
        saved = {"at": after, "numbers": numbers}
        node.state.save(saved)


def consumer(node):
    positions = node.positions.load()
    while node.running(positions):
        items, positions = node.read(positions)
        for item in items:
            number, amount = item.value
            version, held = node.registers.read(item.key)
            if version == number - 1:
                node.registers.cas(item.key, version, (held or 0) + amount)
        node.positions.save(positions)


answer = {"producer": producer, "consumer": consumer}
