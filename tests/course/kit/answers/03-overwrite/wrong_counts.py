REASON = "'north' holds 2"


def answer(node, item):
    version, held = node.registers.read(item.key)
    node.registers.cas(item.key, version, (held or 0) + 1)
