"""Compares the wrong way round."""

REASON = "Even when nothing goes wrong: After this schedule latest.seattle holds [1,"


def answer(node, item):
    name = f"latest.{item.stream}"
    version, held = node.registers.read(name)
    if held is None or held[0] > item.hour:
        node.registers.cas(name, version, [item.hour, item.value])
