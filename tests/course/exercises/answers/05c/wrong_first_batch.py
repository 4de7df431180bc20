# Plausible: right but for the loss.
"""Loses the answer to the batch that is sent alone."""

REASON = "Until a is acknowledged nothing else is sent"
answer = {
    "largest": 5,
    "lost": ("answer", "a"),
    "java": "abcdefgb",
    "librdkafka": "abcdefg",
}
