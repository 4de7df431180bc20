"""Learners' code where it can do no harm: a warm child process, with limits of time, memory and output.

`pool` keeps the process and calls it, `worker` is the process, `plain_values` what may come back from it.
`prove_safely` is `prove` in there, `play_safely` a schedule that a person chooses, `places` where a fault can strike;
`determinism` finds handlers that do not do the same in every process. `pure` proves a pure function's handler,
`fresh` has copies of one that nobody has called yet, `review` puts together what is found of it,
and `template` is such a function to begin with.
"""

from .prove_safely import prove_safely

__all__ = ["prove_safely"]
