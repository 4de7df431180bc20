"""Answers to the gap 04-try-again."""

from tests.course.answers import Answers

answers = Answers("04-try-again")

answers.right("any error and a class").code("""
    class Insistent:
        def __call__(self, increment):
            for _ in range(2):
                try:
                    increment()
                except Exception as why:  # whatever it is
                    self.why = why
                else:
                    break


    answer = Insistent()
""")

answers.right("by recursion").code("""
    from exactly_once.errors import OutcomeUnknown


    def try_again(increment, times=3):
        try:
            increment()
        except OutcomeUnknown:
            if times > 1:
                try_again(increment, times - 1)


    answer = try_again
""")

answers.right("until it goes through").code("""
    from exactly_once.errors import OutcomeUnknown


    def answer(increment):
        while True:
            try:
                return increment()
            except OutcomeUnknown:
                continue
""")

answers.wrong(
    "another error",
    ("except OutcomeUnknown:", "except TimeoutError:"),
    reason="the increment is not carried out, and your lines do not try again",
)

answers.wrong(
    "never ends",
    ("return increment()", "increment()"),
    of="until it goes through",
    reason="again and again, and do not return",
)

# Right when the reply is lost.
answers.wrong("lets it rest", reason="your lines do not try again").diff("""
         except OutcomeUnknown:
    -        increment()
    +        return
""")

answers.wrong("twice more", reason="one more call is enough").diff("""
         except OutcomeUnknown:
             increment()
    +        increment()
""")

# Right when the first request is lost.
answers.wrong("always twice", reason="one call is enough").code("""
    import contextlib

    from exactly_once.errors import OutcomeUnknown


    def answer(increment):
        with contextlib.suppress(OutcomeUnknown):
            increment()
        increment()
""")

# There is nothing to be asked.
answers.wrong("asks before it calls", reason="your lines do not try again").code("""
    from exactly_once.errors import OutcomeUnknown


    def answer(increment):
        try:
            done = increment()
        except OutcomeUnknown:
            done = True
        if done is False:
            increment()
""")

answers.wrong("catches nothing", reason="the increment is not carried out, and your lines do not try again").code("""
    def answer(increment):
        increment()
""")

answers.wrong("fails by itself", reason="your lines fail: NameError").code("""
    def answer(increment):
        try:
            increment()
        except OutcomeUnknown:  # not imported
            increment()
        finally:
            done()
""")

answers.wrong("not a function", reason="give the function try_again itself, without brackets").code("""
    answer = None
""")

answers.wrong("the librarys own", reason="hands the work to the library's try_again").code("""
    from exactly_once.exercises.kinds.gap import gap_named

    try_again = gap_named("04-try-again").library


    def answer(increment):
        return try_again(increment)
""")
