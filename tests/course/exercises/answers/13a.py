"""Answers to the exercise 13a."""

from tests.course.answers import Answers

answers = Answers("13a")

# The default as a table of versions, and the contradictions as a list.
answers.right("a table").code("""
    OFF = {(3, 0, 0), (3, 1, 0)}


    def answer(client, version, settings):
        against = [
            settings.get("acks") in ("0", "1"),
            settings.get("retries") == 0,
            (settings.get("max.in.flight.requests.per.connection") or 0) > 5,
        ]
        asked = settings.get("enable.idempotence")
        if asked is None and client == "java" and version not in OFF:
            if against[2] and version[0] >= 4:
                return "refused"
            return "not numbered" if any(against) else "numbered"
        if asked:
            return "refused" if any(against) else "numbered"
        return "not numbered"
""")

answers.right("the default as a set", ("version in ((3, 0, 0), (3, 1, 0))", "version in {(3, 0, 0), (3, 1, 0)}"))

# What most people believe of librdkafka.
answers.plausible(
    "librdkafka as java",
    ('client == "librdkafka" or version', "version"),
    reason="librdkafka numbers nothing unless it is told to",
)

# What the announcement of 3.0 said.
answers.plausible("as announced", (" or version in ((3, 0, 0), (3, 1, 0))", ""), reason="java 3.0.0, no settings")

answers.wrong(
    "acks is harmless", ('settings.get("acks", "all") not in ("all", "-1") or ', ""), reason="java 4.3.1, acks=1"
)
answers.wrong("minus one is not all", ('("all", "-1")', '("all",)'), reason="acks=-1")
answers.wrong("retries are harmless", (' or settings.get("retries", 1) == 0', ""), reason="retries=0")
answers.wrong("refused before 4.0", ("many and version >= (4, 0, 0)", "many"), reason="java 3.9.0, max.in.flight")
answers.wrong(
    "never refused by default",
    ('    if many and version >= (4, 0, 0):\n        return "refused"\n', ""),
    reason="Since 4.0.0",
)
answers.wrong(
    "what is asked for is given",
    ('"refused" if weak or many else "numbered"\n    if', '"numbered"\n    if'),
    reason="another setting contradicts it",
)
answers.wrong("five are too many", ('connection", 5) > 5', 'connection", 5) >= 5'), reason="java 4.3.1, no settings")
answers.wrong(
    "all up to 3.1.1 are off", ("version in ((3, 0, 0), (3, 1, 0))", "version < (3, 1, 1)"), reason="java 3.0.1"
)

answers.wrong("one way to lose", ('not in ("all", "-1")', '== "1"'), reason="acks=0")

answers.wrong(
    "asked for, retries are harmless",
    ('"refused" if weak', '"refused" if settings.get("acks", "all") not in ("all", "-1")'),
    reason="enable.idempotence=True, retries=0",
)
answers.wrong(
    "acks=1 lifts the limit",
    ("if many and version", "if many and not weak and version"),
    reason="acks=1, max.in.flight",
)
