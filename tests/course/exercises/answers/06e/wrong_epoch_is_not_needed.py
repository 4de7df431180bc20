# Plausible: right for seven of the eight lines.
"""Thinks that the epoch of init is enough."""

REASON = "Without 'new transaction' it breaks (late)"

answer = {
    "position": "nothing",
    "prepare": "server",
    "markers": "nothing",
    "stable": "nothing",
    "new life": "pause",
    "waiting": "death",
    "new transaction": "none",
    "asking": "none",
}
