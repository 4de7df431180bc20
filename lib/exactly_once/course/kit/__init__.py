"""What a chapter asks of its reader: `predict(…)`, a question before the answer; `gap(…)`, lines of the reader's own;
`built(…)`, such lines of a chapter before; `ladder()`, what the reader has proved so far.

from exactly_once.course.kit import built, gap, ladder, predict
"""

from .built import built
from .gap import gap
from .ladder import ladder
from .predict import predict

__all__ = ["built", "gap", "ladder", "predict"]
