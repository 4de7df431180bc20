"""Answers to the gap 04-invariant."""

from tests.course.answers import Answers

answers = Answers("04-invariant")

answers.right("against the positions").code("""
    def answer(view):
        done = (view.positions or {"seattle": 0})["seattle"]
        return len(view.outputs) <= done + 1 and len(set(view.outputs)) == len(view.outputs)
""")

answers.right("in words").code("""
    def answer(view):
        for number, value in enumerate(view.outputs):
            if value in view.outputs[:number]:
                return f"{value} is there twice"
        return True
""")

answers.wrong("all must be there", ("== len(view.outputs)", "== 2"), reason="with no averages in the output")

answers.wrong("always", ("len(set(view.outputs)) == len(view.outputs)", "True"), reason="doubles an average")

answers.wrong(
    "counts the averages",
    ("(set(view.outputs)) == len(view.outputs)", "(view.outputs) <= 2"),
    reason="3 averages in the output",
)

answers.wrong("never", ("len(set(view.outputs)) == len(view.outputs)", "False"), reason="It says no")

answers.wrong(
    "the empty list",
    ("len(set(view.outputs)) == len(view.outputs)", "view.outputs[-1] not in view.outputs[:-1]"),
    reason="IndexError",
)

answers.wrong("neighbours only", reason="this one pushes 1 2 1").code("""
    def answer(view):
        return all(one != following for one, following in zip(view.outputs, view.outputs[1:], strict=False))
""")
