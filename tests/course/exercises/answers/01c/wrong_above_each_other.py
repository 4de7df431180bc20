"""Only neighbours in the drawing."""

REASON = "You left out 10 of 13 pairs"
TEXT = """p1.1-p2.1 p1.3-p2.2 p3.2-p1.4"""
answer = [tuple(pair.split("-")) for pair in TEXT.split()]
