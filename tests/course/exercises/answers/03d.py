"""Answers to the exercise 03d."""

from tests.course.answers import Answers

given = """
    judged = {
        "NotEnoughReplicas": (True, False),
        "NotEnoughReplicasAfterAppend": (True, True),
        "NotLeaderOrFollower": (True, True),
        "TimeoutException": (True, True),
        "RecordTooLarge": (False, False),
    }


    def again(kind, error):
        retriable, may_double = judged[error]
        return retriable and (kind == "temperature" or not may_double)
"""
answers = Answers("03d", given)

# Reads the table as numbers: a bill is sent again where 1 stands before 0.
answers.right("as numbers").code("""
    judged = {
        "TimeoutException": [1, 1],
        "RecordTooLarge": [0, 0],
        "NotLeaderOrFollower": [1, 1],
        "NotEnoughReplicas": [1, 0],
        "NotEnoughReplicasAfterAppend": [1, 1],
    }


    def again(kind, error):
        retriable, may_double = judged[error]
        return retriable > may_double * (kind == "bill")


    answer = {"judged": judged, "again": again}
""")

# Lists the errors after which the record is sent again.
answers.right("by a set of pairs").code("""
    AGAIN = {("bill", "NotEnoughReplicas")} | {
        ("temperature", error) for error, (retriable, _) in judged.items() if retriable
    }


    def again(*asked):
        return asked in AGAIN


    answer = {"judged": judged, "again": again}
""")

# Names the errors, and needs no table.
answers.right("by the words").code("""
    def again(kind, error):
        if kind == "bill":
            return error == "NotEnoughReplicas"
        return error != "RecordTooLarge"


    answer = {"judged": judged, "again": again}
""")

# Believes a broker that says that it does not lead. Plausible: right when nothing goes wrong.
answers.plausible(
    "a refusal is a refusal",
    ("False, True", "True, True"),
    ('"NotLeaderOrFollower": (True, True),', '"NotLeaderOrFollower": (True, False),'),
    of="after append is final",
    reason="one that was leader when the record came says the same",
)

# Does for both what Java's producer does by default, without the numbers that allow it. Plausible: right for the
# temperature.
answers.plausible("kafkas policy for bills", reason="because it numbers its records by default").code("""
    def again(kind, error):
        return judged[error][0]


    answer = {"judged": judged, "again": again}
""")

# Takes retriable for: cannot double. Plausible: right when nothing goes wrong, and for the temperature.
answers.plausible(
    "retriable means safe", reason="Sending again after NotEnoughReplicasAfterAppend may double"
).code("""
    judged = {
        "NotEnoughReplicas": (True, False),
        "NotEnoughReplicasAfterAppend": (True, False),
        "NotLeaderOrFollower": (True, False),
        "TimeoutException": (True, False),
        "RecordTooLarge": (False, False),
    }


    answer = {"judged": judged, "again": again}
""")

# Gives a bill up at the first error.
answers.wrong(
    "never again for bills",
    ("return judged", 'return kind == "temperature" and judged'),
    of="kafkas policy for bills",
    reason="though sending it again could not have doubled it",
)

# Sends nothing twice that could be doubled, be it a bill or not.
answers.wrong(
    "never for temperatures",
    ('(kind == "bill" or not may_double)', "not may_double"),
    of="the other way round",
    reason="and twice in the log it would do no harm",
)

# Goes by the doubling alone.
answers.wrong(
    "too large again",
    ("return judged[error][0]", 'return kind == "temperature" or not judged[error][1]'),
    of="kafkas policy for bills",
    reason="A record that is too large never fits",
)

# Fears for every record.
answers.wrong(
    "everything may double",
    ("(True, False),", "(True, True),"),
    ("False, True", "True, True"),
    of="after append is final",
    reason="Sending again after NotEnoughReplicas cannot double",
)

# Takes a time-out for not retriable, since nobody knows its outcome.
answers.wrong(
    "time out is final",
    ("False, True", "True, True"),
    ('"TimeoutException": (True, True),', '"TimeoutException": (False, True),'),
    of="after append is final",
    reason="TimeoutException is retriable in Kafka",
)

# Sends again what never fits.
answers.wrong(
    "too large may fit",
    ("False, True", "True, True"),
    ("False, False", "True, False"),
    of="after append is final",
    reason="RecordTooLarge is not retriable",
)

# Takes errors after a write for not retriable.
answers.wrong("after append is final", reason="NotEnoughReplicasAfterAppend is retriable in Kafka").code("""
    judged = {
        "NotEnoughReplicas": (True, False),
        "NotEnoughReplicasAfterAppend": (False, True),
        "NotLeaderOrFollower": (True, True),
        "TimeoutException": (True, True),
        "RecordTooLarge": (False, False),
    }


    answer = {"judged": judged, "again": again}
""")

# Mixes the two kinds up.
answers.wrong("the other way round", reason="the customer pays twice").code("""
    def again(kind, error):
        retriable, may_double = judged[error]
        return retriable and (kind == "bill" or not may_double)


    answer = {"judged": judged, "again": again}
""")
