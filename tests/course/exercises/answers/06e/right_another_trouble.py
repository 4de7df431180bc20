"""Another trouble in which waiting is needed, and which does not contain the death of a life."""

answer = {
    "position": "nothing",
    "prepare": "server",
    "markers": "nothing",
    "stable": "nothing",
    "new life": "pause",
    "waiting": "late",
    "new transaction": "late",
    "asking": "none",
}
