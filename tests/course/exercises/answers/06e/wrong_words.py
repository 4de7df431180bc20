"""Says yes and no."""

REASON = "say one of 'nothing'"

answer = {
    "position": "nothing",
    "prepare": "server",
    "markers": "nothing",
    "stable": "nothing",
    "new life": "pause",
    "waiting": "death",
    "new transaction": "late",
    "asking": "no",
}
