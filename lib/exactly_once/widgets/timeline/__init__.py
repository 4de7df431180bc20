"""The transaction timeline: two transactional producers, their coordinator, a partition, and its readers."""
