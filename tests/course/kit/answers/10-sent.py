"""Answers to the gap 10-sent."""

from tests.course.answers import Answers

answers = Answers("10-sent")

answers.right("the name alone").code("""
    def answer(node, name, step, value):
        return [name, value]
""")

answers.right("one text", ("return [name, value]", 'return [f"{step} of {name}", value]'), of="the name alone")

answers.wrong(
    "name and node",
    ("return [name, value]", "return [name, node.number, step, value]"),
    of="the name alone",
    reason="Twins of one handler: ",
)

answers.wrong(
    "no list",
    ("return [name, value]", 'return {"from": name, "value": value}'),
    of="the name alone",
    reason="give a list whose last entry is the value",
)

answers.wrong(
    "step and value",
    ("return [name, value]", "return [step, value]"),
    of="the name alone",
    reason="Two handlers, whose values are equal: ",
)

answers.wrong(
    "the node",
    ("return [name, value]", "return [node.number, step, value]"),
    of="the name alone",
    reason="Twins of one handler: ",
)

answers.wrong(
    "the value alone",
    ("return [name, value]", "return [value]"),
    of="the name alone",
    reason="Two handlers, whose values are equal: ",
)
