"""Fears for every record."""

REASON = "Sending again after NotEnoughReplicas cannot double"

judged = {
    "NotEnoughReplicas": (True, True),
    "NotEnoughReplicasAfterAppend": (True, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (True, True),
    "RecordTooLarge": (False, False),
}


def again(kind, error):
    retriable, may_double = judged[error]
    return retriable and (kind == "temperature" or not may_double)


answer = {"judged": judged, "again": again}
