"""A send and its receipt."""

REASON = "one is the send and the other the receipt of the same message"
TEXT = """p1.1-p2.1 p1.1-p3.1 p2.1-p3.1 p1.2-p3.1 p3.1-p1.3 p1.1-p2.2 p1.2-p2.2 p3.1-p2.2
p1.3-p2.2 p2.2-p3.2 p3.1-p1.4 p2.2-p1.4 p3.2-p1.4 p2.1-p1.2"""
answer = [tuple(pair.split("-")) for pair in TEXT.split()]
