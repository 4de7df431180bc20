"""Answers to the exercise 01c."""

from tests.course.answers import Answers

given = '''
    TEXT = """p1.1-p2.1 p1.1-p3.1 p2.1-p3.1 p1.2-p3.1 p3.1-p1.3 p1.1-p2.2 p1.2-p2.2 p3.1-p2.2
    p1.3-p2.2 p2.2-p3.2 p3.1-p1.4 p2.2-p1.4 p3.2-p1.4"""
'''
answers = Answers("01c", given)

# Each pair in both directions, as text.
answers.right("both ways and as text").code("""
    answer = [" ".join(pair.split("-")[::way]) for pair in TEXT.split() for way in (1, -1)]
""")

# All thirteen, as pairs.
answers.right("pairs").code("""
    answer = [tuple(pair.split("-")) for pair in TEXT.split()]
""")

# A set of frozen sets.
answers.right("sets in a set").code("""
    answer = {frozenset(pair.split("-")) for pair in TEXT.split()}
""")

# One pair too few. Plausible: right but for one pair.
answers.plausible(
    "one left out",
    ("p1.4 p3.2-p1.4 p2.1-p1.2", "p1.4"),
    of="send and receipt",
    reason="You left out 1 of 13 pairs, among them p3.2 and p1.4",
)

# All pairs on different lines without a message of their own: chains forgotten. Plausible: no pair is missing.
answers.plausible(
    "no message between", reason="though no single message joins them: there is a path, p2.1 → p1.2 → p1.3"
).code('''
    TEXT = """p1.1-p2.1 p1.1-p3.1 p2.1-p3.1 p1.2-p3.1 p3.1-p1.3 p1.1-p2.2 p1.2-p2.2 p3.1-p2.2
    p1.3-p2.2 p2.2-p3.2 p3.1-p1.4 p2.2-p1.4 p3.2-p1.4 p2.1-p1.3 p2.1-p1.4 p2.1-p3.2
    p1.1-p3.2 p1.2-p3.2"""
    answer = [tuple(pair.split("-")) for pair in TEXT.split()]
''')

# A fifth event.
answers.wrong(
    "an event that is not there", ("4 p2.1-p1", "4 p1.5-p2"), of="send and receipt", reason="There is no event 'p1.5'"
)

# Two events of one process that have nothing to do with each other.
answers.wrong(
    "on one line",
    ("4 p2.1-p1", "4 p2.1-p2"),
    of="send and receipt",
    reason="events of one process, and those are always in order",
)

# Only neighbours in the drawing.
answers.wrong("above each other", reason="You left out 10 of 13 pairs").code('''
    TEXT = """p1.1-p2.1 p1.3-p2.2 p3.2-p1.4"""
    answer = [tuple(pair.split("-")) for pair in TEXT.split()]
''')

# Only pairs with equal stamps.
answers.wrong("equal stamps only", reason="Equal stamps do mean concurrent").code('''
    TEXT = """p1.1-p2.1 p1.1-p3.1 p2.1-p3.1 p1.2-p2.2 p3.2-p1.4"""
    answer = [tuple(pair.split("-")) for pair in TEXT.split()]
''')

# Nothing is concurrent.
answers.wrong("nothing", reason="You left out 13 of 13 pairs").code('''
    TEXT = """"""
    answer = [tuple(pair.split("-")) for pair in TEXT.split()]
''')

# A send and its receipt.
answers.wrong("send and receipt", reason="one is the send and the other the receipt of the same message").code('''
    TEXT = """p1.1-p2.1 p1.1-p3.1 p2.1-p3.1 p1.2-p3.1 p3.1-p1.3 p1.1-p2.2 p1.2-p2.2 p3.1-p2.2
    p1.3-p2.2 p2.2-p3.2 p3.1-p1.4 p2.2-p1.4 p3.2-p1.4 p2.1-p1.2"""
    answer = [tuple(pair.split("-")) for pair in TEXT.split()]
''')
