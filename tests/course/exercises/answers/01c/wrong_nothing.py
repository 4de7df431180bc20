"""Nothing is concurrent."""

REASON = "You left out 13 of 13 pairs"
TEXT = """"""
answer = [tuple(pair.split("-")) for pair in TEXT.split()]
