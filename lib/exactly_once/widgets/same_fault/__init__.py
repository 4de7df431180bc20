"""The same fault, several protocols: one late request under each strategy, step beside step, its arrival dragged.

`stop` is the same for a node that is stopped for good, under two-phase commit and beside a lock-free twin.
"""
