"""Two events of one process that have nothing to do with each other."""

REASON = "events of one process, and those are always in order"
TEXT = """p1.1-p2.1 p1.1-p3.1 p2.1-p3.1 p1.2-p3.1 p3.1-p1.3 p1.1-p2.2 p1.2-p2.2 p3.1-p2.2
p1.3-p2.2 p2.2-p3.2 p3.1-p1.4 p2.2-p1.4 p3.2-p1.4 p2.1-p2.2"""
answer = [tuple(pair.split("-")) for pair in TEXT.split()]
