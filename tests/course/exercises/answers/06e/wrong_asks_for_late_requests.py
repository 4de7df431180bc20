# Plausible: right for seven of the eight lines.
"""Has the leader ask because of late requests."""

REASON = "Without 'asking' nothing breaks there (late)"

answer = {
    "position": "nothing",
    "prepare": "server",
    "markers": "nothing",
    "stable": "nothing",
    "new life": "pause",
    "waiting": "death",
    "new transaction": "late",
    "asking": "late",
}
