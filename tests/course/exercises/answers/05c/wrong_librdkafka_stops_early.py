"""Lets librdkafka stop before the answer is missed."""

REASON = "you left out g"
answer = {
    "largest": 5,
    "lost": ("answer", "b"),
    "java": "abcdefgb",
    "librdkafka": "abcdef",
}
