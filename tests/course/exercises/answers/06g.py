"""Answers to the exercise 06g."""

from tests.course.answers import Answers

answers = Answers("06g")

# A table of the exceptions to one rule.
answers.right("by a table").code("""
    ENDS = ("commitTransaction", "abortTransaction")
    LAST = {
        None: "seek",
        "ProducerFencedException": "close",
        "IllegalGenerationException": "close",
    }


    def answer(call, error):
        if call in ENDS and error == "TimeoutException":
            return call
        return LAST.get(error, "abortTransaction")
""")

# By the kind of the error first.
answers.right("by matching").code("""
    def answer(call, error):
        match call, error:
            case _, None:
                return "seek"
            case _, "ProducerFencedException" | "IllegalGenerationException":
                return "close"
            case "commitTransaction" | "abortTransaction", "TimeoutException":
                return call
        return "abortTransaction"
""")

# Repeats each call that timed out. Plausible: right for the two ends.
answers.plausible(
    "repeats a send", ('if call in ENDS and error == "TimeoutException"', 'if error == "TimeoutException"'),
    of="by a table", reason="and both would be committed",
)  # fmt: skip

# Begins again after an abort without moving the consumer.
answers.plausible(
    "sends on after an abort", ('None: "seek"', 'None: "send"'), of="by a table",
    reason="nobody would process them again",
)  # fmt: skip

# Aborts after every error, to be on the safe side.
answers.wrong(
    "aborts to be safe", ('if call in ENDS and error == "TimeoutException"', "if call == error"), of="by a table",
    reason="The client refuses an abort",
)  # fmt: skip

# Keeps a producer that was fenced.
answers.plausible(
    "keeps a fenced producer",
    ('"ProducerFencedException": "close"', '"ProducerFencedException": "abortTransaction"'),
    of="by a table", reason="the application needs a new producer",
)  # fmt: skip

# Goes back to its own position when the group has moved on.
answers.wrong(
    "seeks by itself", ('"IllegalGenerationException": "close"', '"IllegalGenerationException": "seek"'),
    of="by a table", reason="your position may be old",
)  # fmt: skip

# Commits its records after an error.
answers.wrong(
    "commits the rest", ('LAST.get(error, "abortTransaction")', 'LAST.get(error, "commitTransaction")'),
    of="by a table", reason="a commit would make that final",
)  # fmt: skip

# Closes after every error.
answers.wrong("closes always", reason="The producer is still valid").code("""
    def answer(call, error):
        return "close" if error else "seek"
""")

# Says what to do in its own words.
answers.wrong("own words", reason="say one of 'send'").code("""
    def answer(call, error):
        return "retry"
""")
