REASON = "in the end it should be"


def answer(node, item):
    version, held = node.registers.read(item.key)
    node.registers.cas(item.key, version, item)
