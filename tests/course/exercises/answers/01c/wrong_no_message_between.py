# Plausible: no pair is missing.
"""All pairs on different lines without a message of their own: chains forgotten."""

REASON = "though no single message joins them: there is a path, p2.1 → p1.2 → p1.3"
TEXT = """p1.1-p2.1 p1.1-p3.1 p2.1-p3.1 p1.2-p3.1 p3.1-p1.3 p1.1-p2.2 p1.2-p2.2 p3.1-p2.2
p1.3-p2.2 p2.2-p3.2 p3.1-p1.4 p2.2-p1.4 p3.2-p1.4 p2.1-p1.3 p2.1-p1.4 p2.1-p3.2
p1.1-p3.2 p1.2-p3.2"""
answer = [tuple(pair.split("-")) for pair in TEXT.split()]
