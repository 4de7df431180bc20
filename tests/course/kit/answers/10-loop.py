"""Answers to the gap 10-loop."""

from tests.course.answers import Answers

answers = Answers("10-loop")

# After a cas that succeeded the stage is known, and need not be read again.
answers.right("reads only when refused").code("""
    def answer(registers, name, first, follow):
        version, stage = registers.read(name)
        while (following := follow(stage or first)) is not None:
            if registers.cas(name, version, following):
                version, stage = version + 1, following
            else:
                version, stage = registers.read(name)
""")

# The stage was computed for an older one, and is written over what a twin has done.
answers.wrong("insists", reason="Two nodes at once, one hour: ").code("""
    def answer(registers, name, first, follow):
        while True:
            version, stage = registers.read(name)
            following = follow(stage or first)
            if following is None:
                return
            while not registers.cas(name, version, following):
                version, _ = registers.read(name)
""")

answers.wrong("goes on from its own", reason="Two nodes at once, one hour: ").code("""
    def answer(registers, name, first, follow):
        version, stage = registers.read(name)
        stage = stage or first
        while (following := follow(stage)) is not None:
            registers.cas(name, version, following)
            version, stage = version + 1, following
""")

answers.wrong("gives up when refused", reason="a node's loop has ended although inputs are left").code("""
    def answer(registers, name, first, follow):
        while True:
            version, stage = registers.read(name)
            following = follow(stage or first)
            if following is None or not registers.cas(name, version, following):
                return
""")

answers.wrong("one transition", reason="One node, two hours, and nothing goes wrong: ").code("""
    def answer(registers, name, first, follow):
        version, stage = registers.read(name)
        following = follow(stage or first)
        if following is not None:
            registers.cas(name, version, following)
""")

answers.wrong("a plain write", reason="Two nodes at once, one hour: ").code("""
    def answer(registers, name, first, follow):
        while True:
            _, stage = registers.read(name)
            following = follow(stage or first)
            if following is None:
                return
            registers.write(name, following)
""")

answers.wrong("version read too late", reason="Two nodes at once, one hour: ").code("""
    def answer(registers, name, first, follow):
        while True:
            _, stage = registers.read(name)
            following = follow(stage or first)
            if following is None:
                return
            version, _ = registers.read(name)
            registers.cas(name, version, following)
""")
