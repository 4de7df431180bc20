"""The same fault, several protocols: one late request under each strategy, step beside step, its arrival dragged.

`stop` draws the same for a node that is stopped for good, under two-phase commit and beside a lock-free twin.
"""
