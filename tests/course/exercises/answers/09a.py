"""Answers to the exercise 09a."""

from tests.course.answers import Answers

answers = Answers("09a")

# Tries with version 0 before it has read anything, and asks the caller to come again when no answer comes.
answers.right("guesses first").code("""
    def answer(registers, name, index):
        version = 0
        while not registers.cas(name, version, index):
            version, hint = registers.read(name)
            if hint is not None and hint >= index:
                break
""")

# Goes round until the hint is at its index or beyond.
answers.right("rounds").code("""
    from exactly_once.errors import OutcomeUnknown


    def answer(registers, name, index):
        while True:
            try:
                version, hint = registers.read(name)
                if (hint or 0) >= index or registers.cas(name, version, index):
                    return
            except OutcomeUnknown:
                pass
""")

# Takes a refused write for somebody's move to where it wants the hint. Plausible: right alone.
answers.plausible("gives up", reason="although a node has moved it to 3").code("""
    def answer(registers, name, index):
        version, hint = registers.read(name)
        if (hint or 0) < index:
            registers.cas(name, version, index)
""")

# Compares with one read, and writes with the version of another. Plausible: right alone.
answers.plausible("looks twice", reason="With two nodes, one of which is behind").code("""
    def answer(registers, name, index):
        while (registers.read(name)[1] or 0) < index:
            registers.cas(name, registers.read(name)[0], index)
""")

# Tries twice, and lets it be: nobody said how often others may come first. Plausible: right alone.
answers.plausible("tries twice", reason="With two nodes that move it twice").code("""
    def answer(registers, name, index):
        for _ in range(2):
            version, hint = registers.read(name)
            if (hint or 0) >= index or registers.cas(name, version, index):
                return
""")

# Writes its own index over any value. Plausible: right alone.
answers.plausible("until it is written", reason="With two nodes, one of which is behind").code("""
    def answer(registers, name, index):
        while not registers.cas(name, registers.read(name)[0], index):
            pass
""")

# Moves the hint only from the index before its own: if that one never comes, it waits for ever.
answers.wrong("waits for its turn", of="one step at a time", reason="has not finished").diff("""
    -        registers.cas(name, version, (hint or 0) + 1)
    +        if (hint or 0) == index - 1:
    +            registers.cas(name, version, index)
""")

# Takes a lock around the two steps: a process that dies with the lock stops all others.
answers.wrong("locks", reason="With two nodes").code("""
    def answer(registers, name, index):
        while True:
            version, holder = registers.read("lock")
            if holder in (None, 0) and registers.cas("lock", version, 1):
                break
        at, hint = registers.read(name)
        if (hint or 0) < index:
            registers.cas(name, at, index)
        registers.cas("lock", version + 1, 0)
""")

# Adds one, so that two nodes together move it too far, to an index that nobody named.
answers.wrong("one step at a time", reason="to which no node has moved it").code("""
    def answer(registers, name, index):
        while True:
            version, hint = registers.read(name)
            if (hint or 0) >= index:
                return
            registers.cas(name, version, (hint or 0) + 1)
""")
