"""Puts the position beside the transaction, as chapter 04 does, and waits for a death."""

REASON = "less than 'death' is enough (nothing)"

answer = {
    "position": "death",
    "prepare": "server",
    "markers": "nothing",
    "stable": "nothing",
    "new life": "pause",
    "waiting": "death",
    "new transaction": "late",
    "asking": "none",
}
