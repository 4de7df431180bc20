"""The partitioned log: the broker's rules, once, over disks in memory or in SQLite files.

`brokers` is where requests arrive, `replica` and `producers` hold the rules, `storage` says what a disk keeps.
"""

from .broker.topics import Topic
from .client.clients import Consumer, Producer
from .client.open import load_log, open_log
from .client.partitioner import murmur2, partition_for
from .log import Log, Receipt
from .storage.records import Batch, Pair, Record

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
