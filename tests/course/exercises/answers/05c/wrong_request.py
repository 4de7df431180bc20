# Plausible: right but for the loss.
"""Loses a request, and takes the gap for the harm."""

REASON = "what comes behind it is refused"
answer = {
    "largest": 5,
    "lost": ("request", "b"),
    "java": "abcdefgb",
    "librdkafka": "abcdefg",
}
