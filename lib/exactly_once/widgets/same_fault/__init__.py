"""The same stop, two protocols: a node is stopped for good under two-phase commit, and beside a lock-free twin."""
