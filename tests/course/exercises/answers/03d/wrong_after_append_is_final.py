"""Takes what was written for not retriable."""

REASON = "NotEnoughReplicasAfterAppend is retriable in Kafka"

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (False, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (True, True),
    "RecordTooLarge": (False, False),
}


def again(kind, error):
    retriable, may_double = judged[error]
    return retriable and (kind == "temperature" or not may_double)


answer = {"judged": judged, "again": again}
