"""Sends again what never fits."""

REASON = "RecordTooLarge is not retriable"

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (True, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (True, True),
    "RecordTooLarge": (True, False),
}


def again(kind, error):
    retriable, may_double = judged[error]
    return retriable and (kind == "temperature" or not may_double)


answer = {"judged": judged, "again": again}
