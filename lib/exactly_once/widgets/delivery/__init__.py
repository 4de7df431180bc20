"""The delivery lab: a producer and a consumer on both sides of a log, step by step."""
