REASON = "'north' holds 1"


def answer(node, item):
    node.registers.cas(item.key, 0, item.value)
