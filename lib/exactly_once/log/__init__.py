"""The partitioned log: the broker's rules, once, over disks in memory or in SQLite files.

`brokers` is where requests arrive, `replica` and `producers` hold the rules, `storage` says what a disk keeps.
"""

from .brokers import Log, Receipt
from .clients import Consumer, Producer
from .opening import load_log, open_log
from .partitioner import murmur2, partition_for
from .records import Batch, Pair, Record
from .topics import Topic

__all__ = [
    "Batch",
    "Consumer",
    "Log",
    "Pair",
    "Producer",
    "Receipt",
    "Record",
    "Topic",
    "load_log",
    "murmur2",
    "open_log",
    "partition_for",
]
