"""Answers to the gap 03-nothing-lost."""

from tests.course.answers import Answers

answers = Answers("03-nothing-lost")

answers.right("looks into the partition").code("""
    def answer(view):
        found = {value for _, _, value, _ in view.look("log", "readings", "partition")}
        return len(found) == 3 if view.done else True
""")

answers.right("says which").code("""
    def answer(view):
        if not view.done:
            return True
        missing = [number for number in (1, 2, 3) if number not in view.outputs]
        return not missing or f"lost: {missing}"
""")

answers.wrong("always true", ("not view.done or set(view.outputs) >= {1, 2, 3}", "True"), reason="a record is lost")

answers.wrong("asks for too much", ("set(view.outputs)", "view.log"), reason="your rule fails with")

answers.wrong(
    "at every moment", ("return not view.done or set", "return set"), reason="what is not there yet may still come"
)

answers.wrong(
    "counts records", ("set(view.outputs) >= {1, 2, 3}", "len(view.outputs) >= 3"), reason="a record is lost"
)

answers.wrong(
    "no repetitions",
    ("set(view.outputs) >= {1, 2, 3}", "view.outputs == [1, 2, 3]"),
    reason="repetitions are allowed",
)

answers.wrong("only the last", ("set(view.outputs) >= {1, 2, 3}", "3 in view.outputs"), reason="a record is lost")

answers.wrong("says nothing on the way", reason="your rule returns None").code("""
    def answer(view):
        if not view.done:
            return None
        return set(view.outputs) >= {1, 2, 3}
""")

answers.wrong("begins with the second", (">= {1, 2, 3}", ">= {2, 3}"), reason="The log holds [2, 3, 3]")
