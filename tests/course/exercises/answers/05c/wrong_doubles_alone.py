# Plausible: right but for the log.
"""Lets Java send the refused batch again, and no other."""

REASON = "numbers all batches in flight anew"
answer = {
    "doubles": ("connection", "b"),
    "log": "abcdefb",
    "expires": ("too few replicas", "b"),
    "harmless": ("connection", "f"),
}
