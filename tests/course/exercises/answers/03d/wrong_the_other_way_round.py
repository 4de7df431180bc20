"""Mixes the two kinds up."""

REASON = "the customer pays twice"

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (True, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (True, True),
    "RecordTooLarge": (False, False),
}


def again(kind, error):
    retriable, may_double = judged[error]
    return retriable and (kind == "bill" or not may_double)


answer = {"judged": judged, "again": again}
