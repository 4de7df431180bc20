"""Answers to the gap 01-no-counter."""

from tests.course.answers import Answers

given = """
    from itertools import permutations
"""
answers = Answers("01-no-counter", given)

answers.right("by relations").code("""
    from itertools import product


    def answer(run):
        places = range(len(run))
        for c, b, a in product(places, repeat=3):
            said = run.relation(a, b), run.relation(b, c), run.relation(a, c)
            if said == ("concurrent", "concurrent", "before"):
                return [a, b, c]
        return None
""")

answers.right("from pairs").code("""
    def answer(run):
        pairs = {pair for one, other in run.pairs() for pair in ((one, other), (other, one))}
        for a, b in pairs:
            for also, c in pairs:
                if also == b and a != c and run.path(a, c):
                    return a, b, c
        return None
""")

answers.wrong(
    "all concurrent",
    (") and run.happened_before(a", ") and run.concurrent(b"),
    of="only two concurrent",
    reason="a did not happen before c",
)

# Plausible: that concurrent events have equal stamps.
answers.wrong(
    "by stamps",
    ("concurrent(a, b)", "lamport[a] == run.lamport[b] == run.lamport[c]"),
    of="only two concurrent",
    reason="yours finds none",
)

answers.wrong(
    "names",
    ("and run.", "and run.concurrent(b, c) and run."),
    ("return a, b, c", "return run.name(a), run.name(b), run.name(c)"),
    of="only two concurrent",
    reason="give three different places",
)

answers.wrong("in either direction", reason="a did not happen before c").code("""
    # Plausible: that a and c are not concurrent leaves open which of them came first
    def answer(run):
        for a, b, c in permutations(range(len(run)), 3):
            if run.concurrent(a, b) and run.concurrent(b, c) and not run.concurrent(a, c):
                return a, b, c
        return None
""")

answers.wrong("only two concurrent", reason="they are not concurrent").code("""
    def answer(run):
        for a, b, c in permutations(range(len(run)), 3):
            if run.concurrent(a, b) and run.happened_before(a, c):
                return a, b, c
        return None
""")

answers.wrong("the first three", reason="there is a path").code("""
    def answer(run):
        return (0, 1, 2)
""")
