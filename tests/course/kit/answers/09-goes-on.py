"""Answers to the gap 09-goes-on."""

from tests.course.answers import Answers

answers = Answers("09-goes-on")

answers.right("recursion").code("""
    def add_one(node):
        seen = node.registers.read("number")
        if not node.registers.cas("number", seen[0], 1 if seen[1] is None else seen[1] + 1):
            add_one(node)


    answer = add_one
""")

answers.wrong("adds for ever", ('with node.lock("number"):', "while True:"), of="locks", reason="the number is 3")

answers.wrong("locks", reason="it waits for another, to acquire lock number").code("""
    def answer(node):
        with node.lock("number"):
            version, number = node.registers.read("number")
            node.registers.cas("number", version, (number or 0) + 1)
""")

answers.wrong("reads the version anew", reason="2 nodes add one each, and the number is 1").code("""
    def answer(node):
        number = node.registers.read("number")[1]
        while not node.registers.cas("number", node.registers.read("number")[0], (number or 0) + 1):
            pass
""")

answers.wrong("spins", reason="it waits for another").code("""
    def answer(node):
        while True:
            version, holder = node.registers.read("lock")
            if holder != "held" and node.registers.cas("lock", version, "held"):
                break
        at, number = node.registers.read("number")
        node.registers.cas("number", at, (number or 0) + 1)
        node.registers.cas("lock", version + 1, "free")
""")

answers.wrong("tries once", reason="2 nodes add one each, and the number is 1").code("""
    def answer(node):
        version, number = node.registers.read("number")
        node.registers.cas("number", version, (number or 0) + 1)
""")

# The version and the number agree for as long as each write adds one, from nothing on.
answers.wrong(
    "the number for the version",
    ('cas("number", version,', 'cas("number", number or 0,'),
    reason="The number is 5 at first",
)
