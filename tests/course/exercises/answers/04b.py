"""Answers to the exercise 04b."""

from tests.course.answers import Answers

answers = Answers("04b")

# The order as text, and a witness that walks through the writes.
answers.right("order as text and a search").code("""
    def corrupts_at(order):
        saved = set()
        for letter, write in zip("BCD", order, strict=False):
            saved.add(write)
            if len(saved & {"state", "positions"}) == 1:
                return letter
        return None


    answer = {"order": "counter, positions, state, output", "corrupts_at": corrupts_at}
""")

# Another of the best orders, and as witness the last letter at which the two disagree, not the first.
answers.right("the last moment").code("""
    def corrupts_at(order):
        second = max(order.index("state"), order.index("positions"))
        return "ABCD"[second]


    answer = {"order": ["output", "positions", "state", "counter"], "corrupts_at": corrupts_at}
""")

# Names the middle letter for every order. Plausible: the order is right.
answers.plausible(
    "always c",
    ('return {("output", "counter", "positions", "state"): "D"}[order]', 'return "C"'),
    of="only its own order",
    reason="where a crash doubles, but corrupts nothing",
)

# Puts the positions first and the state last, so that they disagree for long. Plausible: the letters are right.
answers.plausible("positions first", reason="The damage of this order is 15").code("""
    def corrupts_at(order):
        return "BCD"[min(order.index("state"), order.index("positions"))]


    answer = {"order": ("positions", "output", "counter", "state"), "corrupts_at": corrupts_at}
""")

# Takes the order of the chapter for the best.
answers.wrong(
    "the articles order",
    ('positions", "output", "counter", "state', 'output", "counter", "state", "positions'),
    of="positions first",
    reason="the averages of hours 3–6 are wrong",
)

# Counts the letters from A, which stands before the first write.
answers.wrong(
    "letter before the write",
    ('return "BCD"', 'return "ABCD"'),
    ('positions", "output", "counter', 'counter", "output", "positions'),
    of="positions first",
    reason="corrupts nothing",
)

# Leaves the counter out, to have less to double.
answers.wrong(
    "a write left out",
    ('return "BCDE"[max(order.index("state"), order.index("positions"))]', 'return "B"'),
    ('"state", "counter"', '"state"'),
    of="after the second of the two",
    reason="it names each of output, counter, state, positions once",
)

# Names the letter after both state and positions, where they agree again.
answers.wrong("after the second of the two", reason="corrupts_at is wrong: for the order").code("""
    def corrupts_at(order):
        return "BCDE"[max(order.index("state"), order.index("positions"))]


    answer = {"order": ("output", "positions", "state", "counter"), "corrupts_at": corrupts_at}
""")

# Looks for the letter in a loop that never leaves.
answers.wrong("never ends", reason="had not come to an end").code("""
    def corrupts_at(order):
        while True:
            order = order[::-1]


    answer = {"order": ("output", "counter", "positions", "state"), "corrupts_at": corrupts_at}
""")

# Knows a letter for its own order alone.
answers.wrong("only its own order", reason="it fails with KeyError").code("""
    def corrupts_at(order):
        return {("output", "counter", "positions", "state"): "D"}[order]


    answer = {"order": ("output", "counter", "positions", "state"), "corrupts_at": corrupts_at}
""")
