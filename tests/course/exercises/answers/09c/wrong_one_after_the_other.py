"""Each to its end."""

REASON = "Both records are in their cells before one is emptied"
answer = "PPPQQQRRR"
