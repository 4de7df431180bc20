"""The kinds of tasks: a task declares its data and one rule; asking, judging and the reply belong to its kind.

`reply` defines the answers of checks; `kind` has what all kinds share, and runs learners' code in the sandbox.
"""
