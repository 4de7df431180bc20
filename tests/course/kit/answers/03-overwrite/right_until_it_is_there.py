def answer(node, item):
    version, held = node.registers.read(item.key)
    while held != item.value:
        node.registers.cas(item.key, version, item.value)
        version, held = node.registers.read(item.key)
