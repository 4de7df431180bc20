def add_one(node):
    seen = node.registers.read("number")
    if not node.registers.cas("number", seen[0], 1 if seen[1] is None else seen[1] + 1):
        add_one(node)


answer = add_one
