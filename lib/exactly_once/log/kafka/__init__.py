"""A real Kafka behind the log's interfaces. `servers.kafka` starts one.

`librdkafka_producer` has a producer of transactions over confluent-kafka. `connection` sends requests of Kafka's own
protocol, `kafka_log` is a client over it, and with that `stores` keeps any store in a topic, and the log of a run on
the brokers.
"""
