# %% 11b waits for the other → took 2,000 steps
def follow(node, stage, as_usual):
    node.registers.cas(f"here.{node.number}", 0, True)
    while not node.registers.read(f"here.{3 - node.number}")[0]:
        pass
    return as_usual(stage)


answer = {"claim": "no downtime", "follow": follow}

# %% 11c looks at the decision first
def answer(registers, change, willing):
    if registers.read("decision")[0] == 0:
        registers.cas("decision", 0, all([held(registers, row, by) for row, by in change.items()]) and willing)
    decision = registers.read("decision")[1]
    for row in change:
        while (now := registers.read(row))[1][1] is not None:
            value, by = now[1]
            registers.cas(row, now[0], [value + (by if decision else 0), None])
    return decision


def held(registers, row, by):
    version, (value, _) = registers.read(row)
    if version == 1 and value + by < 0:
        return False
    registers.cas(row, 1, [value, by])
    return True
