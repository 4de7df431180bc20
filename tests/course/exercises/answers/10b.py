"""Answers to the exercise 10b."""

from tests.course.answers import Answers

given = """
    from exactly_once.errors import OutcomeUnknown
    from exactly_once.lockfree.queue import emptied
"""
answers = Answers("10b", given)

answers.right("again by itself").code("""
    def answer(registers, name, message, since):
        while True:
            try:
                return first_of(registers, name, message, since)
            except OutcomeUnknown:
                pass


    def first_of(registers, name, message, index):
        cell = f"{name}.{index}"
        if registers.cas(cell, 0, message) or registers.read(cell)[1] in (message, emptied(message)):
            return index
        return first_of(registers, name, message, index + 1)
""")

answers.right("reads first").code("""
    def answer(registers, name, message, since):
        index = since
        while True:
            version, held = registers.read(f"{name}.{index}")
            if version == 0 and registers.cas(f"{name}.{index}", 0, message):
                return index
            if version == 0:
                continue  # somebody was faster: look what it is
            if held in (message, emptied(message)):
                return index
            index += 1
""")

# Plausible: it compares each cell, but not with what retention leaves.
answers.plausible(
    "forgets retention",
    ("index = 0", "index = since"),
    ("in (message, emptied(message))", "== message"),
    of="from the beginning",
    reason="Retention that empties the first cell",
)

# Plausible: a new incarnation finds an earlier incarnation's push, but not a twin's push meanwhile.
answers.plausible("looks first and not again", reason="is in the queue 2 times").code("""
    def answer(registers, name, message, since):
        index = since
        while (cell := registers.read(f"{name}.{index}"))[0]:
            if cell[1] in (message, emptied(message)):
                return index
            index += 1
        while not registers.cas(f"{name}.{index}", 0, message):
            index += 1
        return index
""")

# Plausible: right as long as nobody repeats anything.
answers.plausible("plain push", reason="One crash: after this schedule ['one', 1] is in the queue 2 times").code("""
    def answer(registers, name, message, since):
        index = since
        while not registers.cas(f"{name}.{index}", 0, message):
            index += 1
        return index
""")

# Plausible: an answer that was lost is taken for a refusal.
answers.plausible(
    "takes an unknown for full", reason="One lost request: after this schedule cell 0 is empty"
).code("""
    def answer(registers, name, message, since):
        index = since
        while True:
            try:
                if registers.cas(f"{name}.{index}", 0, message):
                    return index
                if registers.read(f"{name}.{index}")[1] in (message, emptied(message)):
                    return index
            except OutcomeUnknown:
                pass
            index += 1
""")

answers.wrong(
    "compares the sender",
    reason="Even when nothing goes wrong: after this schedule the push of ['one', 2] has returned 0",
).diff("""
    -        _, held = registers.read(f"{name}.{index}")
    -        if held in (message, emptied(message)):
    +        if (registers.read(f"{name}.{index}")[1] or [""])[0] == message[0]:
""")

answers.wrong("from the beginning", reason="a push takes 25 steps").code("""
    def answer(registers, name, message, since):
        index = 0
        while not registers.cas(f"{name}.{index}", 0, message):
            if registers.read(f"{name}.{index}")[1] in (message, emptied(message)):
                return index
            index += 1
        return index
""")

answers.wrong("next index", reason="One crash: after this schedule ['one', 1] is in the queue 2 times").code("""
    from exactly_once.lockfree import Queue


    def answer(registers, name, message, since):
        queue = Queue(registers, name)
        while True:
            index = queue.next_index()
            if queue.push_at_idempotent(message, index):
                return index
""")

answers.wrong("returns nothing", reason="push_once returned None; return the index of the cell").code("""
    def answer(registers, name, message, since):
        index = since
        while not registers.cas(f"{name}.{index}", 0, message):
            if registers.read(f"{name}.{index}")[1] in (message, emptied(message)):
                return
            index += 1
""")

answers.wrong("writes over", reason="the push of ['one', 1] has returned 0, and that cell does not hold it").code("""
    def answer(registers, name, message, since):
        version, _ = registers.read(f"{name}.{since}")
        registers.cas(f"{name}.{since}", version, message)
        return since
""")
