"""Learners' code where it can do no harm: a warm child process, with limits of time, memory and output.

`pool` keeps the process and calls it, `worker` is the process, `plain_values` what may come back from it;
`prove_safely` is `prove` in there, `determinism` finds handlers that do not do the same in every process.
"""

from .prove_safely import prove_safely

__all__ = ["prove_safely"]
