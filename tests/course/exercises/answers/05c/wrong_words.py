"""Writes words in place of batches."""

REASON = "write the batches in the log in order"
answer = {
    "doubles": ("connection", "b"),
    "log": "b is there twice",
    "expires": ("too few replicas", "b"),
    "harmless": ("connection", "f"),
}
