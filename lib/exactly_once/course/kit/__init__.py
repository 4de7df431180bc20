"""What a chapter asks of its reader: `predict(…)`, a question before the answer; `gap(…)`, lines of the reader's own;
`built(…)`, such lines of a chapter before.

from exactly_once.course.kit import built, gap, predict
"""

from .built import built
from .gap import gap
from .predict import predict

__all__ = ["built", "gap", "predict"]
