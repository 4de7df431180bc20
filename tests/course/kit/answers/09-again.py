"""Answers to the gap 09-again."""

from tests.course.answers import Answers

given = """
    from exactly_once.errors import OutcomeUnknown
"""
answers = Answers("09-again", given)

answers.right("a dictionary of names").code("""
    def answer(registers, by, who):
        done = False
        while not done:
            try:
                version, held = registers.read("number")
                number, names = held if version else (0, {})
                done = who in names or registers.cas("number", version, [number + by, {**names, who: True}])
            except OutcomeUnknown:
                done = False
""")

answers.wrong(
    "only the last name", of="believes a refusal", reason="Two nodes, +1 and -1, and one reply is lost"
).diff("""
    -            if registers.cas("number", version, [(held or [0])[0] + by]):
    +            number, last = held or [0, None]
    +            if last == who or registers.cas("number", version, [number + by, who]):
""")

answers.wrong(
    "the same name for all",
    of="believes a refusal",
    reason="Two nodes, +1 and -1, and nothing is lost: After this schedule the number is",
).diff("""
    -            if registers.cas("number", version, [(held or [0])[0] + by]):
    +            number, names = held or [0, []]
    +            if "node" in names or registers.cas("number", version, [number + by, [*names, "node"]]):
""")

answers.wrong("believes a refusal", reason="the number is 2, and 1 is right").code("""
    def answer(registers, by, who):
        while True:
            try:
                version, held = registers.read("number")
                if registers.cas("number", version, [(held or [0])[0] + by]):
                    return
            except OutcomeUnknown:
                pass
""")

answers.wrong("gives up", reason="one request is lost: After this schedule the number is 0, and 1 is right").code("""
    def answer(registers, by, who):
        try:
            while True:
                version, held = registers.read("number")
                if registers.cas("number", version, [(held or [0])[0] + by]):
                    return
        except OutcomeUnknown:
            pass
""")

answers.wrong("lets the error pass", reason="the number is 2, and 1 is right").code("""
    def answer(registers, by, who):
        while True:
            version, held = registers.read("number")
            if registers.cas("number", version, [(held or [0])[0] + by]):
                return
""")

answers.wrong(
    "signed by the change",
    ("if who in", "if by in"),
    ("[*names, who]", "[*names, by]"),
    reason="Two nodes, +1 and +1",
)
