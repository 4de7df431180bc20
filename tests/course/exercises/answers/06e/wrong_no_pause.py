# Plausible: right for seven of the eight lines.
"""Takes a dead life for as dangerous as a stalled one."""

REASON = "Without 'new life' nothing breaks there (death)"

answer = {
    "position": "nothing",
    "prepare": "server",
    "markers": "nothing",
    "stable": "nothing",
    "new life": "death",
    "waiting": "death",
    "new transaction": "late",
    "asking": "none",
}
