# Plausible: right but for Java's log.
"""Lets Java's client leave it at the refusal."""

REASON = "begins a new epoch, and sends it as number 0"
answer = {
    "largest": 5,
    "lost": ("answer", "b"),
    "java": "abcdefg",
    "librdkafka": "abcdefg",
}
