"""Tries until the key holds this reading or a newer one."""


def answer(node, item):
    name, held = f"latest.{item.stream}", None
    while held is None or held[0] < item.hour:
        version, held = node.registers.read(name)
        if held is None or held[0] < item.hour:
            node.registers.cas(name, version, [item.hour, item.value])
