"""Reads the table as numbers: a bill is sent again where 1 stands before 0."""

judged = {
    "TimeoutException": [1, 1],
    "RecordTooLarge": [0, 0],
    "NotLeaderOrFollower": [1, 1],
    "NotEnoughReplicas": [1, 0],
    "NotEnoughReplicasAfterAppend": [1, 1],
}


def again(kind, error):
    retriable, may_double = judged[error]
    return retriable > may_double * (kind == "bill")


answer = {"judged": judged, "again": again}
