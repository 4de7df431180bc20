"""Trials on a real Kafka: what a program's operator meets at night, brought about."""
