"""Answers to the gap 11-decide."""

from tests.course.answers import Answers

answers = Answers("11-decide")

answers.right("looks first").code("""
    def answer(registers, wish):
        version, decision = registers.read("decision")
        if version == 0 and registers.cas("decision", 0, wish):
            return wish
        return decision if version else registers.read("decision")[1]
""")

answers.wrong("returns its wish", ('return registers.read("decision")[1]', "return wish"), reason="one node was told")

answers.wrong("looks, and then writes", reason="one node was told").code("""
    def answer(registers, wish):
        if not registers.read("decision")[0]:
            registers.cas("decision", 0, wish)
            return wish
        return registers.read("decision")[1]
""")

answers.wrong("whatever version", reason="one node was told").code("""
    def answer(registers, wish):
        version, _ = registers.read("decision")
        registers.cas("decision", version, wish)
        return registers.read("decision")[1]
""")

# A cas that was refused: the other node must have wished the opposite. But it may have been one's own.
answers.wrong("the opposite when refused", reason="which nobody wished").code("""
    def answer(registers, wish):
        if registers.cas("decision", 0, wish):
            return wish
        return "abort" if wish == "commit" else "commit"
""")

answers.wrong("waits for the other", reason="One node that wishes to abort: ").code("""
    def answer(registers, wish):
        if wish == "commit":
            registers.cas("decision", 0, wish)
        while not registers.read("decision")[0]:
            pass
        return registers.read("decision")[1]
""")

answers.wrong("whatever is wished", reason="One node that wishes to commit").code("""
    def answer(registers, wish):
        registers.cas("decision", 0, "abort")
        return registers.read("decision")[1]
""")
