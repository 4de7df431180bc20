"""Counts the five behind the oldest, and not the oldest itself."""

REASON = "With 6 in flight the answer to batch b"
answer = {
    "largest": 6,
    "lost": ("answer", "b"),
    "java": "abcdefgb",
    "librdkafka": "abcdefg",
}
