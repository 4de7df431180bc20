"""The exercises of chapter 02: partitions, guarantees, reading, compaction and truncation of logs.

Each exercise compares a learner's function or choice with the rule, and shows the smallest log with a mistake first.
"""
