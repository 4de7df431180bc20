"""Kafka: the broker that the course runs, the log's interface over it, and the faults that only a real one shows."""
