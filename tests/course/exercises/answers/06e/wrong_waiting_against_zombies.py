# Plausible: right for seven of the eight lines.
"""Takes waiting for a protection against zombies."""

REASON = "Without 'waiting' less than 'pause' is enough (death)"

answer = {
    "position": "nothing",
    "prepare": "server",
    "markers": "nothing",
    "stable": "nothing",
    "new life": "pause",
    "waiting": "pause",
    "new transaction": "late",
    "asking": "none",
}
