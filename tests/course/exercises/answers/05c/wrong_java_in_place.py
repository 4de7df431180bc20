"""Lets the second copy stand behind the first."""

REASON = "is written where the log ends then"
answer = {
    "largest": 5,
    "lost": ("answer", "b"),
    "java": "abbcdefg",
    "librdkafka": "abcdefg",
}
