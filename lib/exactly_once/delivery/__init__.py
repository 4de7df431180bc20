"""Both sides of a log: a producer's and a consumer's program, run together, and the result of the run.

`run` simulates them, `moments` reads a run step by step, `words` tells it, `prediction` computes the result of a plan
of faults beforehand.
"""
