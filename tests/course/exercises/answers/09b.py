"""Answers to the exercise 09b."""

from tests.course.answers import Answers

given = """
    from exactly_once.errors import OutcomeUnknown
"""
answers = Answers("09b", given)

# Looks into the cell when no answer comes, and reads the hint again before it moves it.
answers.right("finds out").code("""
    import contextlib


    def surely(ask, *what):
        while True:
            try:
                return ask(*what)
            except OutcomeUnknown:
                pass


    def answer(registers, name, value):
        index = surely(registers.read, f"{name}.hint")[1] or 0
        while True:
            version, held = surely(registers.read, f"{name}.{index}")
            if version == 0:
                with contextlib.suppress(OutcomeUnknown):
                    registers.cas(f"{name}.{index}", 0, value)
            elif held == value:
                break
            else:
                index += 1
        at, hint = surely(registers.read, f"{name}.hint")
        if (hint or 0) <= index:
            with contextlib.suppress(OutcomeUnknown):
                registers.cas(f"{name}.hint", at, index + 1)
        return index
""")

# Walks from the hint, writes, moves the hint, and lets it be where another was faster.
answers.right("library").code("""
    def answer(registers, name, value):
        version, hint = registers.read(f"{name}.hint")
        start = index = hint or 0
        while not registers.cas(f"{name}.{index}", 0, value):
            index += 1
        try:
            if index + 1 > start:
                registers.cas(f"{name}.hint", version, index + 1)
        except OutcomeUnknown:
            pass
        return index
""")

# Lets a lost answer about the hint reach the caller, who will push again. Plausible: right while every answer
# comes.
answers.plausible(
    "answer of the hint", ("(hint or 0)", "index"), of="hint by one", reason="only the answer to the move of the"
)

# Pushes again, from the hint on, when no answer comes. Plausible: right while every answer comes.
answers.plausible("again", reason="is in the queue 2 times").code("""
    def answer(registers, name, value):
        while True:
            try:
                version, hint = registers.read(f"{name}.hint")
                index = hint or 0
                while not registers.cas(f"{name}.{index}", 0, value):
                    index += 1
                registers.cas(f"{name}.hint", version, index + 1)
                return index
            except OutcomeUnknown:
                pass
""")

# Moves the hint by one, however far it has walked. Plausible: right but for its steps.
answers.plausible("hint by one", reason="it tries the same full cells again").code("""
    def answer(registers, name, value):
        version, hint = registers.read(f"{name}.hint")
        index = hint or 0
        while not registers.cas(f"{name}.{index}", 0, value):
            index += 1
        registers.cas(f"{name}.hint", version, (hint or 0) + 1)
        return index
""")

# Takes an index by moving the hint, and writes afterwards: a crash in between leaves a hole. Plausible: right
# alone.
answers.plausible("hint first", reason="past an empty cell").code("""
    def answer(registers, name, value):
        while True:
            version, hint = registers.read(f"{name}.hint")
            index = hint or 0
            while registers.read(f"{name}.{index}")[0]:
                index += 1
            if registers.cas(f"{name}.hint", version, index + 1):
                registers.cas(f"{name}.{index}", 0, value)
                return index
""")

# Moves the hint with the version of a second read, without a look at where it stands now. Plausible: right alone.
answers.plausible("moves it back", reason="The hint goes back").code("""
    def answer(registers, name, value):
        index = registers.read(f"{name}.hint")[1] or 0
        while not registers.cas(f"{name}.{index}", 0, value):
            index += 1
        registers.cas(f"{name}.hint", registers.read(f"{name}.hint")[0], index + 1)
        return index
""")

# Always walks from the first cell. Plausible: right but for its steps.
answers.plausible("no hint", reason="it tries the same full cells again").code("""
    def answer(registers, name, value):
        index = 0
        while not registers.cas(f"{name}.{index}", 0, value):
            index += 1
        return index
""")

# Looks for an empty cell, and does not look whether its write came through. Plausible: right alone.
answers.plausible("takes it for written", reason="and that cell does not hold it").code("""
    def answer(registers, name, value):
        version, hint = registers.read(f"{name}.hint")
        index = hint or 0
        while registers.read(f"{name}.{index}")[0]:
            index += 1
        registers.cas(f"{name}.{index}", 0, value)
        registers.cas(f"{name}.hint", version, index + 1)
        return index
""")

# Waits until the hint stands at the cell that it found: behind a pusher who died there, for ever.
answers.wrong("waits for the hint", reason="does not finish").code("""
    def answer(registers, name, value):
        while True:
            version, hint = registers.read(f"{name}.hint")
            index = hint or 0
            if registers.cas(f"{name}.{index}", 0, value):
                registers.cas(f"{name}.hint", version, index + 1)
                return index
""")
