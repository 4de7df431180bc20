"""Sets, a range and an empty tuple in place of lists."""

answer = {"counter": 8, "wrong": range(4, 6), "missing": (), "doubled": {4}}
