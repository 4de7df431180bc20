"""Takes a time-out for not retriable, since nobody knows what it comes to."""

REASON = "TimeoutException is retriable in Kafka"

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (True, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (False, True),
    "RecordTooLarge": (False, False),
}


def again(kind, error):
    retriable, may_double = judged[error]
    return retriable and (kind == "temperature" or not may_double)


answer = {"judged": judged, "again": again}
