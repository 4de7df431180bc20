"""A real Kafka behind the log's interfaces. `servers.kafka` starts one.

`clients` has producers and a consumer over confluent-kafka. `wire` speaks Kafka's own protocol, request by request,
and `log` is a client over it. With that `store` keeps any store in a topic, a handler takes each of its steps on a
real broker (`steps`), and the cases of `log.cases` are posed to one (`driver`). `trials` has what an operator meets.
"""
