"""Lets librdkafka begin a new epoch, too."""

REASON = "it stops with a fatal error"
answer = {
    "largest": 5,
    "lost": ("answer", "b"),
    "java": "abcdefgb",
    "librdkafka": "abcdefgb",
}
