"""Writes words in place of batches."""

REASON = "write the batches in the log in order"
answer = {
    "largest": 5,
    "lost": ("answer", "b"),
    "java": "b is there twice",
    "librdkafka": "abcdefg",
}
