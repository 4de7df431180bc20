"""The client's side of the log: producers and consumers, the partitioner, and opening a log by its address."""
