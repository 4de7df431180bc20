"""Another loss of the connection, and a mishap by which nothing is in the log that should not be."""

answer = {
    "doubles": ("connection", "e"),
    "log": "abcdefef",
    "expires": ("too few replicas", "c"),
    "harmless": ("not written", "b"),
}
