"""As Kafka 0.11 asked for."""

REASON = "With 2 in flight nothing breaks either"
answer = {
    "largest": 1,
    "lost": ("answer", "b"),
    "java": "abcdefgb",
    "librdkafka": "abcdefg",
}
