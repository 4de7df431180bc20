# Plausible: P stops in the middle of Q.
"""P has found cell 0 taken before it is emptied."""

REASON = "is past the cell that is emptied"
answer = "PQQQPRRRP"
