"""Words for numbers."""

REASON = "The stamp of p1.1 is 'one'"
answer = {"p1": ["one", "two", "three", "four"], "p2": [1, 2, 6, 7], "p3": [1, 2, 3, 4, 5, 6]}
