"""Q sleeps in the middle of P, who does not get to move the hint."""

answer = "q p p r r r q"
