"""Names the errors, and needs no table."""

judged = {
    "NotEnoughReplicas": (True, False),
    "NotEnoughReplicasAfterAppend": (True, True),
    "NotLeaderOrFollower": (True, True),
    "TimeoutException": (True, True),
    "RecordTooLarge": (False, False),
}


def again(kind, error):
    if kind == "bill":
        return error == "NotEnoughReplicas"
    return error != "RecordTooLarge"


answer = {"judged": judged, "again": again}
