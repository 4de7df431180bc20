"""The message and its batch as a list."""

answer = {
    "largest": 5,
    "lost": ["answer", "b"],
    "java": "abcdefgb",
    "librdkafka": "abcdefg",
}
