"""Goes by the doubling alone."""

REASON = "A record that is too large never fits"

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (True, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (True, True),
    "RecordTooLarge": (False, False),
}


def again(kind, error):
    return kind == "temperature" or not judged[error][1]


answer = {"judged": judged, "again": again}
