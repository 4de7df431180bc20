"""Apache Kafka: its broker from Maven Central, a server of one node or three, and the clients that speak to it.

`jars` fetches the broker, `broker` runs it. `clients` has the course's producers and consumer over confluent-kafka.
`wire` speaks Kafka's own protocol, request by request: with it `requests` lets a node's handler take its steps on a
broker, and `cases` compares the course's log with the broker.
"""
