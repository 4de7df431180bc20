def answer(node, item):
    version, held = node.registers.read(item.key)
    if held is None or held < item.value:
        node.registers.cas(item.key, version, item.value)
