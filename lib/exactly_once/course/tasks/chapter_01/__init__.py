"""The exercises of chapter 01: stamps and concurrent pairs by hand, the rules of both clocks, and what an order is for.

`runs` holds the runs that they are about.
"""

from . import acknowledgements, compare, concurrent, receive, scattered, stamp

TASKS = {
    "01a": stamp.TASK,
    "01b": receive.TASK,
    "01c": concurrent.TASK,
    "01d": scattered.TASK,
    "01e": compare.TASK,
    "01f": acknowledgements.TASK,
}
