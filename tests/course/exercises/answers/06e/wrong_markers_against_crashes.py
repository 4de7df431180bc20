"""Thinks that a marker matters only after a death."""

REASON = "less than 'server' is enough (nothing)"

answer = {
    "position": "nothing",
    "prepare": "server",
    "markers": "server",
    "stable": "nothing",
    "new life": "pause",
    "waiting": "death",
    "new transaction": "late",
    "asking": "none",
}
