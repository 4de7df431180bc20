"""The verdict: what a run did, judged against what some crash-free run of one node could have done.

`run` is what a world hands over, `ideal` computes the outcomes that are right, `damage` names what is not,
`sentences` says why, `verdict` puts them together.
"""

from .ideal import ideal_outcomes
from .outcome import Outcome
from .run import Run
from .verdict import Verdict, judge

__all__ = ["Outcome", "Run", "Verdict", "ideal_outcomes", "judge"]
