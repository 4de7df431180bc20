"""The exercises of chapter 13: clients of Kafka, PostgreSQL and etcd, and a handler that goes to real servers."""
