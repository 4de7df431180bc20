# Plausible: right but for the loss.
"""Loses an answer that comes too late to do harm."""

REASON = "is still one of the last 5 batches"
answer = {
    "largest": 5,
    "lost": ("answer", "c"),
    "java": "abcdefgb",
    "librdkafka": "abcdefg",
}
