"""Both sides of a log: a producer's and a consumer's program, run together, and what came of the run.

`run` simulates them, `moments` reads a run step by step, `words` tells it, `prediction` counts beforehand what a plan
of faults comes to; `transforming` has the programs that consume, transform and produce.
"""
