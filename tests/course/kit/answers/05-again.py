"""Answers to the gap 05-again."""

from tests.course.answers import Answers

given = """
    from exactly_once.errors import CourseError, OutcomeUnknown
    from exactly_once.log.errors import DuplicateSequence, OutOfOrderSequence
"""
answers = Answers("05-again", given)

answers.right("all but what is there").code("""
    def answer(node, sent):
        missing = list(sent)
        for record in sent:
            try:
                node.log.acknowledgement()
                missing.remove(record)
            except DuplicateSequence:
                missing.remove(record)
            except CourseError:
                continue
        return missing
""")

answers.wrong(
    "a duplicate is no answer",
    ("except OutcomeUnknown:", "except CourseError:"),
    of="lets a refusal through",
    reason="One reply is lost",
)

answers.wrong(
    "forgets what follows a gap",
    ("OutcomeUnknown", "OutOfOrderSequence"),
    ("except OutOfOrderSequence:", "except OutcomeUnknown:"),
    of="gives up what has no answer",
    reason="One request is lost",
)

answers.wrong("gives up what has no answer", reason="One request is lost").code("""
    def answer(node, sent):
        missing = []
        for record in sent:
            try:
                node.log.acknowledgement()
            except (DuplicateSequence, OutcomeUnknown):
                pass
            except OutOfOrderSequence:
                missing.append(record)
        return missing
""")

answers.wrong("lets a refusal through", reason="OutOfOrderSequence").code("""
    def answer(node, sent):
        missing = []
        for record in sent:
            try:
                node.log.acknowledgement()
            except OutcomeUnknown:
                missing.append(record)
        return missing
""")

answers.wrong("only the first that failed", reason="One request is lost").code("""
    def answer(node, sent):
        missing = []
        for record in sent:
            try:
                node.log.acknowledgement()
            except DuplicateSequence:
                pass
            except (OutcomeUnknown, OutOfOrderSequence):
                missing.append(record)
        return missing[:1]
""")
