"""Answers to the gap 09-sweep."""

from tests.course.answers import Answers

given = """
    from exactly_once.lockfree.queue import cell, emptied, is_emptied
"""
answers = Answers("09-sweep", given)

answers.right("calls itself").code("""
    def answer(registers, is_old, index=0):
        name = cell("queue", index)
        version, value = registers.read(name)
        if version and is_emptied(value):
            return answer(registers, is_old, index + 1)
        if version == 0 or not is_old(value):
            return index
        registers.cas(name, version, emptied(value))
        return answer(registers, is_old, index + 1)
""")

answers.wrong(
    "empties the mark again",
    ('(cell("queue", index), 0, emptied(value))', '(cell("queue", index), version, emptied(value))'),
    of="expects version 0",
    reason="Your lines leave [{'emptied'",
)

answers.wrong(
    "empties what was never filled",
    ("not version or is_emptied(value) or", "version and not is_emptied(value) and"),
    of="stops at an emptied cell",
    reason="have looked at cells 50 times",
)

answers.wrong(
    "writes nothing",
    ("is_emptied(value)", "value is None"),
    ("0, emptied(value)", "version, None"),
    of="expects version 0",
    reason="Your lines leave [None] in the cells",
)

answers.wrong("expects version 0", reason="Your lines leave ['a'] in the cells").code("""
    def answer(registers, is_old):
        index = 0
        while True:
            version, value = registers.read(cell("queue", index))
            if not version or not (is_emptied(value) or is_old(value)):
                return index
            registers.cas(cell("queue", index), 0, emptied(value))
            index += 1
""")

answers.wrong("goes past what is new", reason="Pushed: a, b, a; old is a. Your lines leave").code("""
    def answer(registers, is_old):
        index, kept = 0, None
        while True:
            version, value = registers.read(cell("queue", index))
            if not version:
                return index if kept is None else kept
            if not is_emptied(value) and is_old(value):
                registers.cas(cell("queue", index), version, emptied(value))
            elif not is_emptied(value) and kept is None:
                kept = index
            index += 1
""")

answers.wrong("stops at an emptied cell", reason="and when called again 0").code("""
    def answer(registers, is_old):
        index = 0
        while True:
            version, value = registers.read(cell("queue", index))
            if not version or is_emptied(value) or not is_old(value):
                return index
            registers.cas(cell("queue", index), version, emptied(value))
            index += 1
""")
