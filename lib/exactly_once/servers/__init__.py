"""Real servers: PostgreSQL, etcd and Kafka, started when they are asked for, and the stores over the first two.

`process` is the life of a server that the course starts for itself, and `guard` the process that ends it with its
kernel. `fetch` is `make servers`; `kafka` has the cluster, and the log and the stores over it are `log.kafka`.
"""

from ..doors import open_door

open_door(__name__, {"by_url": "STARTED new_name opened", "process": "Server free_port"})
