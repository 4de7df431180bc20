"""Q is swept before it has moved the hint, so that P, who begins afterwards, finds cell 0 empty."""

answer = list("QQRRR")
