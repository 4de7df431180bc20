"""Run learners' code where it can do no harm: in a warm child process, with limits of time, memory and output.

`pool` keeps the process and calls it, `worker` is the process, `plain_values` checks the values that it returns. In
the process, `prove_safely` runs `prove`; `crash_safely` crashes a handler in a file, or counts its operations;
`determinism` finds handlers that act differently in another process, and `templates` has code to begin with.
"""

from .prove_safely import prove_safely
