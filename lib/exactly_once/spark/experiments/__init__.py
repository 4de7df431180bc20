"""What chapters carry out on the cluster: programs, the faults that strike them, and what is observed then.

| file | chapter | programs | faults | observed |
| --- | --- | --- | --- | --- |
| `conversation` | 01 | four processes that talk | clocks that are wrong | the order of their events |
| `brokers` | 02, 05 | a producer, three brokers | the leader is killed | records lost and doubled |
| `delivery` | 03, 05 | producer and consumer, or senders | kills, lost replies | the log, the effects |
| `waits` | 11, 14 | twins, and one node beside them | a kill, a pause, a slow node | how long records wait |
| `election` | 13, 14 | twins over etcd | the store's leader is killed | how long twins wait |

`experiment` carries out what needs nothing but tasks of the cluster. Chapter 12's query and its batches have drivers
and sinks of Spark's own: see `streaming`.
"""
