"""Apache Kafka: its broker from Maven Central, a server of one node or three, and the clients that speak to it.

`jars` fetches the broker, `broker` runs it. What speaks to the broker is in `log.kafka`.
"""
