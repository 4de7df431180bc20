# Plausible: right when nothing goes wrong, and for the temperature.
"""Takes retriable for: cannot double."""

REASON = "Sending again after NotEnoughReplicasAfterAppend may double"

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (True, False),
    "NotLeaderOrFollower": (True, False),
    "TimeoutException": (True, False),
    "RecordTooLarge": (False, False),
}


def again(kind, error):
    retriable, may_double = judged[error]
    return retriable and (kind == "temperature" or not may_double)


answer = {"judged": judged, "again": again}
