"""What a chapter asks of its reader: `predict(…)`, a question before the answer; `gap(…)`, lines of the reader's own.

from exactly_once.course.kit import gap, predict
"""

from .gap import gap
from .predict import predict

__all__ = ["gap", "predict"]
