"""Works the log out from the batch with which the lost answers begin."""

BATCHES = "abcdef"
lost_from = "d"

answer = {
    "doubles": ("connection", lost_from),
    "log": BATCHES + BATCHES[BATCHES.index(lost_from) :],
    "expires": ("too few replicas", "e"),
    "harmless": ("too few replicas", "f"),
}
