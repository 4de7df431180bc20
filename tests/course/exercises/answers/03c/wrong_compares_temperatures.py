"""Compares the temperatures, and not the hours."""

REASON = "Even when nothing goes wrong: After this schedule latest.seattle holds"


def answer(node, item):
    name = f"latest.{item.stream}"
    version, held = node.registers.read(name)
    if held is None or held[1] < item.value:
        node.registers.cas(name, version, [item.hour, item.value])
