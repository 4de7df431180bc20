"""The Java that runs Spark and Kafka, the memory that it can have, and the libraries that PySpark brings."""
