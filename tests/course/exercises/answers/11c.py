"""Answers to the exercise 11c."""

from tests.course.answers import Answers

answers = Answers("11c")

answers.right("looks at the decision first").code("""
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
""")

answers.right(
    "the versions are known",
    (
        "registers.cas(row, version, [value + held * decision, None])",
        "registers.cas(row, 2, [value + held * decision, None])",
    ),
)

# Plausible: the row may have been released since, and is held once more.
answers.plausible(
    "holds at any version",
    ("registers.cas(row, 1, [value, by])", "registers.cas(row, version, [value, by])"),
    reason="One node, and one crash",
)

# Plausible: it is done if nobody dies.
answers.plausible(
    "leaves it to the other",
    (
        'registers.cas("decision", 0, wish)\n',
        'if not registers.cas("decision", 0, wish):\n        return registers.read("decision")[1]\n',
    ),
    reason="a node has returned",
)

# Plausible: one node decides, and the other one waits for it.
answers.plausible("waits for the decision", reason="One node, and one crash").code("""
    def answer(registers, change, willing):
        fits = willing
        for row, by in change.items():
            version, (value, _) = registers.read(row)
            if version == 1 and value + by < 0:
                fits = False
                break
            if not registers.cas(row, 1, [value, by]):
                while not registers.read("decision")[0]:
                    pass
        registers.cas("decision", 0, fits)
        _, decision = registers.read("decision")
        for row in change:
            version, (value, held) = registers.read(row)
            if held is not None:
                registers.cas(row, version, [value + held * decision, None])
        return decision
""")

answers.wrong(
    "never looks at the decision",
    ('_, decision = registers.read("decision")', "decision = wish"),
    reason="Two nodes, one of which is not willing",
)

answers.wrong("has no vote", ("wish = willing", "wish = True"), reason="One node, which is not willing")

answers.wrong(
    "does not look at the value", ("value + by < 0", "False"), reason="One node, and row a would be below zero"
)

answers.wrong(
    "forgets to release after a refusal",
    ("    for row in change:\n", "    for row in change if decision else ():\n"),
    reason="One node, and row b would be below zero",
)

answers.wrong("one phase", reason="One node, and nothing goes wrong").code("""
    def answer(registers, change, willing):
        for row, by in change.items():
            version, (value, _) = registers.read(row)
            if version == 1:
                registers.cas(row, 1, [value + by, None])
        registers.cas("decision", 0, True)
        return True
""")

answers.wrong(
    "no answer that fits", ("return decision", "return 'yes' if decision else 'no'"), reason="return True or False"
)
