"""The verdict: it compares a run with the possible crash-free runs of one node.

`run` defines the record of a run, `damage` names its differences from a right one, and `verdict_sentences` explains
them. `verdict` computes the right outcomes and judges by the others; `words` has a verdict in one word.
"""

from .outcome import Outcome
from .run import Run
from .verdict import Beginning, IdealFailed, Verdict, ideal_outcomes, judge
