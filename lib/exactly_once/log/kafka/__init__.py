"""A real Kafka behind the log's interfaces. `servers.kafka` starts one.

`clients` has a producer of transactions over confluent-kafka. `connection` sends requests of
Kafka's own protocol, and `log` is a client over it. With that `store` keeps any store in a topic, and a handler takes
each of its steps on a real broker (`steps`).
"""
