# Plausible: P stops in the middle of Q.
"""P is past its write when it falls asleep."""

REASON = "Both records are in their cells before one is emptied"
answer = "PPQQQRRRP"
