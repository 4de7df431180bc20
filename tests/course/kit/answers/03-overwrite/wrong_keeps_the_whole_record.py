REASON = "in the end it should be"


def answer(node, item):
    version, _ = node.registers.read(item.key)
    node.registers.cas(item.key, version, item)
