"""Answers to the exercise 03c."""

from tests.course.answers import Answers

answers = Answers("03c")

# Tries until the key holds this reading or a newer one.
answers.right("asks until it is sure").code("""
    def answer(node, item):
        name, held = f"latest.{item.stream}", None
        while held is None or held[0] < item.hour:
            version, held = node.registers.read(name)
            if held is None or held[0] < item.hour:
                node.registers.cas(name, version, [item.hour, item.value])
""")

# Writes the greater of the two every time.
answers.right("the greater").code("""
    def answer(node, item):
        name = f"latest.{item.stream}"
        version, held = node.registers.read(name)
        reading = [item.hour, item.value]
        node.registers.cas(name, version, max(reading, held or reading))
""")

# Lets the version stand for the hour, and needs no reading at all.
answers.right("version is the hour").code("""
    def answer(node, item):
        node.registers.cas(f"latest.{item.stream}", item.hour - 1, [item.hour, item.value])
""")

# Overwrites the present value, as the chapter does. Plausible: right when nothing goes wrong.
answers.plausible(
    "overwrites",
    ("item.value", "[item.hour, item.value]"),
    of="without the hour",
    reason="an observer who saw hour 2 under latest.seattle sees hour 1 there a moment later",
)

# Notes each hour as done before it writes it, in a register of its own. Plausible: right when nothing goes wrong.
answers.plausible("a copy beside", reason="With one crash: After this schedule latest.").code("""
    def answer(node, item):
        if node.registers.cas(f"done.{item.stream}.{item.hour}", 0, True):
            version, _ = node.registers.read(f"latest.{item.stream}")
            node.registers.cas(f"latest.{item.stream}", version, [item.hour, item.value])
""")

# Compares the temperatures, and not the hours.
answers.wrong(
    "compares temperatures",
    ("[0] < item.hour", "[1] < item.value"),
    reason="Even when nothing goes wrong: After this schedule latest.seattle holds",
)

# Compares the wrong way round.
answers.wrong(
    "compares the other way",
    ("held[0] <", "held[0] >"),
    reason="Even when nothing goes wrong: After this schedule latest.seattle holds [1,",
)

# Writes only where nothing is, so that the first reading stays.
answers.wrong(
    "first one stays", reason="Even when nothing goes wrong: After this schedule latest.seattle holds [1,"
).code("""
    def answer(node, item):
        node.registers.cas(f"latest.{item.stream}", 0, [item.hour, item.value])
""")

# Puts the reading under the stream's bare name.
answers.wrong("name", reason="latest.seattle holds nothing in the end").code("""
    def answer(node, item):
        version, held = node.registers.read(item.stream)
        if held is None or held[0] < item.hour:
            node.registers.cas(item.stream, version, [item.hour, item.value])
""")

# Keeps the temperature alone.
answers.wrong("without the hour", reason="and should hold [3,").code("""
    def answer(node, item):
        name = f"latest.{item.stream}"
        version, _ = node.registers.read(name)
        node.registers.cas(name, version, item.value)
""")
