"""The partitioned log: the broker's rules, once, over disks in memory or in SQLite files.

`client` sends and reads, `broker` holds the rules (`broker_cluster` takes requests, `replica` and `producer_state`
check them), `storage` holds the contents of disks; `transactions` has their coordinator and its rules; `network` has
brokers that are processes of their own, and `kafka` puts a real one behind the same interfaces.
"""

from ..doors import open_door
from .broker.topics import Topic
from .client.clients import Consumer, Producer
from .client.open import load_log, open_log
from .client.partitioner import murmur2, partition_for
from .log import Log, Receipt
from .network.client import ACKNOWLEDGED, NetworkProducer
from .storage.records import NOBODY, PLAIN, TRANSACTIONAL, Batch, Pair, pack
from .storage.sqlite_disk import SQLiteDisk

open_door(__name__, {"network.controller_process": "ControllerProcess"})
