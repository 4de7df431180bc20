"""Forgets that the snapshot keeps the newest batch."""

REASON = "doubles: When f comes again, it is the newest batch"
answer = {
    "doubles": ("connection", "f"),
    "log": "abcdeff",
    "expires": ("too few replicas", "b"),
    "harmless": ("not written", "b"),
}
