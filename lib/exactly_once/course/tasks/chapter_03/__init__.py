"""The exercises of chapter 03: what gets lost and doubled on both sides of a log, and how to help it.

One file each: predicting, a consumer, an update by key, a producer.
"""

from . import counting, newest, predicting, sending

TASKS = {
    "03a": predicting.TASK,
    "03b": counting.TASK,
    "03c": newest.TASK,
    "03d": sending.TASK,
}
