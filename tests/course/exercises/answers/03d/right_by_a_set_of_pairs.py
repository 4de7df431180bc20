"""Lists what is sent again."""

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (True, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (True, True),
    "RecordTooLarge": (False, False),
}


AGAIN = {("bill", "NotEnoughReplicas")} | {
    ("temperature", error) for error, (retriable, _) in judged.items() if retriable
}


def again(*asked):
    return asked in AGAIN


answer = {"judged": judged, "again": again}
