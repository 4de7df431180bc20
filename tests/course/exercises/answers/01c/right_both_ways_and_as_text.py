"""Each pair in both directions, as text."""

TEXT = """p1.1-p2.1 p1.1-p3.1 p2.1-p3.1 p1.2-p3.1 p3.1-p1.3 p1.1-p2.2 p1.2-p2.2 p3.1-p2.2
p1.3-p2.2 p2.2-p3.2 p3.1-p1.4 p2.2-p1.4 p3.2-p1.4"""
answer = [" ".join(pair.split("-")[::way]) for pair in TEXT.split() for way in (1, -1)]
