# Plausible: right for the temperature.
"""Does for both what Java's producer does by default, without the numbers that allow it."""

REASON = "because it numbers its records by default"

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (True, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (True, True),
    "RecordTooLarge": (False, False),
}


def again(kind, error):
    return judged[error][0]


answer = {"judged": judged, "again": again}
