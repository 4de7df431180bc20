"""One hour as a number, the others in another order and one of them twice."""

answer = {"doubled": 4, "missing": set(), "wrong": [5, 4, 5], "counter": 8}
