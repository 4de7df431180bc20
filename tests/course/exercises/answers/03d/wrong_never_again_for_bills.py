"""Gives a bill up at the first error."""

REASON = "though sending it again could not have doubled it"

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (True, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (True, True),
    "RecordTooLarge": (False, False),
}


def again(kind, error):
    return kind == "temperature" and judged[error][0]


answer = {"judged": judged, "again": again}
