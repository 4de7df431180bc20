# Plausible: right for seven of the eight lines.
"""Has PrepareCommit protect from deaths of the program."""

REASON = "Without 'prepare' nothing breaks there (death)"

answer = {
    "position": "nothing",
    "prepare": "death",
    "markers": "nothing",
    "stable": "nothing",
    "new life": "pause",
    "waiting": "death",
    "new transaction": "late",
    "asking": "none",
}
