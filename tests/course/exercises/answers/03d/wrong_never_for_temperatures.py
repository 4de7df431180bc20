"""Sends nothing twice that could be doubled, be it a bill or not."""

REASON = "and twice in the log it would do no harm"

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (True, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (True, True),
    "RecordTooLarge": (False, False),
}


def again(kind, error):
    retriable, may_double = judged[error]
    return retriable and not may_double


answer = {"judged": judged, "again": again}
