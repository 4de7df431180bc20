"""The verdict: it compares a run with the possible crash-free runs of one node.

`run` defines the record of a run, `damage` names its differences from a right one, `sentences` explains them, and
`verdict` computes the right outcomes and judges by the others.
"""

from .outcome import Outcome
from .run import Run
from .verdict import Beginning, IdealFailed, Verdict, ideal_outcomes, judge
