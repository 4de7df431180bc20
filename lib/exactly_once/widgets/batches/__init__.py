"""The micro-batch timeline of Structured Streaming: what a driver's lives do in each batch, and where they die."""
