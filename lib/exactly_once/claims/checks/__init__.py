"""A check for each claim of the lock-free handler: it finds the simplest of all schedules that breaks the claim.

`outcome` checks the contents of the stores, `steps` single steps, `progress` the progress of the nodes.
"""

from .checked import Checked
from .outcome import Ideal, atomic, exactly_once, hard_stop
from .progress import deadlock_free, lock_free, no_downtime, no_failover
from .steps import concurrent, heterogeneous, hot_hot, race_free
