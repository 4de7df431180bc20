"""Answers to the gap 04-promise."""

from tests.course.answers import Answers

answers = Answers("04-promise")

answers.right("in words").code("""
    def answer(view, right):
        for value in view.outputs:
            if value not in right:
                return f"{value} is wrong"
        if view.done and any(value not in view.outputs for value in right):
            return "an average is missing"
        return True
""")

answers.right("asked in the end alone").code("""
    def answer(view, right):
        return not view.done or set(view.outputs) == set(right)
""")

answers.wrong(
    "nothing missing at any moment",
    ("not view.done or not missing", "not missing"),
    reason="no averages in the output",
)

answers.wrong("allows no repeats", reason="where the promise is kept").code("""
    def answer(view, right):
        return view.outputs == list(right)[: len(view.outputs)]
""")

answers.wrong(
    "never wrong, and no more",
    ("not wrong and (not view.done or not missing)", "not wrong"),
    reason="a run that loses an average",
)

answers.wrong("never missing, and no more", ("not wrong and (", "("), reason="a run that leaves a wrong average")

answers.wrong("counts", reason="a run that leaves a wrong average").code("""
    def answer(view, right):
        return not view.done or len(set(view.outputs)) >= len(right)
""")

answers.wrong("fails on the empty list", reason="IndexError").code("""
    def answer(view, right):
        return view.outputs[-1] in right
""")

answers.wrong(
    "counts how many there are",
    ("not missing", "len(view.outputs) >= len(right)"),
    reason="a run that loses an average",
)
