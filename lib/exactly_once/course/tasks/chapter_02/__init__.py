"""The exercises of chapter 02: where records go, what is promised for them, how they are read, and what remains.

Each compares a learner's function or choice with the rule, the smallest log that shows a mistake first.
"""

from . import choose, compaction, partitioner, resume, truncation, watermark

TASKS = {
    "02a": partitioner.TASK,
    "02b": watermark.TASK,
    "02c": choose.TASK,
    "02d": resume.TASK,
    "02e": compaction.TASK,
    "02f": truncation.TASK,
}
