"""Leaves a place free for the retry."""

REASON = "With 5 in flight nothing breaks either"
answer = {
    "largest": 4,
    "lost": ("answer", "b"),
    "java": "abcdefgb",
    "librdkafka": "abcdefg",
}
