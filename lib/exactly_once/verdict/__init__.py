"""The verdict: it compares a run with the possible crash-free runs of one node.

`run` defines the record of a run, `ideal` computes the right outcomes, `damage` names the differences, `sentences`
explains the differences, `verdict` combines the others.
"""

from .ideal import ideal_outcomes
from .outcome import Outcome
from .run import Run
from .verdict import Verdict, judge

__all__ = ["Outcome", "Run", "Verdict", "ideal_outcomes", "judge"]
