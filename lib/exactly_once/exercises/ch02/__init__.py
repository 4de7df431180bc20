"""The exercises of chapter 02: the high watermark, reading, compaction, truncation and replication of logs.

Each exercise compares what a learner wrote with the rule, and shows the smallest log with a mistake first.
"""
