REASON = "'newest' holds 3"


def answer(node, item):
    version, _ = node.registers.read("newest")
    node.registers.cas("newest", version, item.value)
