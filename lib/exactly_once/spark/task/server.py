"""The process that serves the stores of one run; see `stores.served`.

Its stores know every operation and every value that a task's would: importing `task_world` teaches them.
"""

import sys

from ... import pipeline  # noqa: F401 - the window, as a value
from ...stores.served import main
from . import feed, task_world  # noqa: F401 - all operations

if __name__ == "__main__":
    main(*sys.argv[1:])
