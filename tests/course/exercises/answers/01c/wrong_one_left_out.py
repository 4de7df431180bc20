# Plausible: right but for one pair.
"""One pair too few."""

REASON = "You left out 1 of 13 pairs, among them p3.2 and p1.4"
TEXT = """p1.1-p2.1 p1.1-p3.1 p2.1-p3.1 p1.2-p3.1 p3.1-p1.3 p1.1-p2.2 p1.2-p2.2 p3.1-p2.2
p1.3-p2.2 p2.2-p3.2 p3.1-p1.4 p2.2-p1.4"""
answer = [tuple(pair.split("-")) for pair in TEXT.split()]
