"""The exercises of chapter 02: where records go, what is promised for them, how they are read, and what remains.

Each compares a learner's function or choice with the rule, the smallest log that shows a mistake first.
"""
