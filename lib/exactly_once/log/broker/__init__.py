"""The broker's side of the log: leaders, replicas, replication by followers, retention and compaction.

`broker_cluster` is all brokers together; `replica` holds the rules for one replica, `producer_state` those for
producers.
"""
