"""Answers to the gap 04-silent-harm."""

from tests.course.answers import Answers

answers = Answers("04-silent-harm")

answers.right("an input left out").code("""
    def answer():
        return "positions, output, counter, state", "D"
""")

answers.right("as a list").code("""
    answer = [["state", "counter", "positions", "output"], "B"]
""")

answers.wrong(
    "doubles",
    ('"positions, output, counter, state"', '("output", "counter", "state", "positions")'),
    of="an input left out",
    reason="the average of hour 3 is in the output more than once",
)

answers.wrong(
    "no order",
    ('return "positions, output, counter, state", "D"', 'return ("state", "positions"), "B"'),
    of="an input left out",
    reason="names each of output, counter, state, positions once",
)

answers.wrong(
    "only the counter",
    ('"positions, output, counter, state"', '("output", "positions", "state", "counter")'),
    of="an input left out",
    reason="The counter reveals",
)

answers.wrong("harmless", reason="does no harm").code("""
    def answer():
        return ("state", "output", "counter", "positions"), "A"
""")

answers.wrong("loses", reason="the average of hour 3 is missing").code("""
    def answer():
        return ("positions", "state", "output", "counter"), "B"
""")

answers.wrong("no letter", reason="The letter is 'F'").code("""
    def answer():
        return ("state", "output", "counter", "positions"), "F"
""")
