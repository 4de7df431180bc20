"""Chapter 05: the broker's side of the idempotent producer, and the broker's memory."""
