"""Answers to the gap 03-overwrite."""

from tests.course.answers import Answers

answers = Answers("03-overwrite")

answers.right("never goes back").code("""
    def answer(node, item):
        version, held = node.registers.read(item.key)
        if held is None or held < item.value:
            node.registers.cas(item.key, version, item.value)
""")

answers.right("until it is there").code("""
    def answer(node, item):
        version, held = node.registers.read(item.key)
        while held != item.value:
            node.registers.cas(item.key, version, item.value)
            version, held = node.registers.read(item.key)
""")

answers.wrong(
    "adds",
    ("(item.key, version, (held or 0) + 1)", "(item.key, version, (held or 0) + item.value)"),
    of="counts",
    reason="'north' holds 4",
)

answers.wrong("keeps the whole record", ("item.value", "item"), reason="in the end it should be")

answers.wrong("one cell for all", ("(item.key)", '("newest")'), ("item.key,", '"newest",'), reason="'newest' holds 3")

answers.wrong("counts", reason="'north' holds 2").code("""
    def answer(node, item):
        version, held = node.registers.read(item.key)
        node.registers.cas(item.key, version, (held or 0) + 1)
""")

answers.wrong("lets a loss pass", reason="One request is lost").code("""
    from exactly_once.errors import OutcomeUnknown


    def answer(node, item):
        try:
            version, _ = node.registers.read(item.key)
            node.registers.cas(item.key, version, item.value)
        except OutcomeUnknown:
            return
""")

answers.wrong("version nought", reason="'north' holds 1").code("""
    def answer(node, item):
        node.registers.cas(item.key, 0, item.value)
""")
