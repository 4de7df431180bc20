"""Lets each copy stand behind its first."""

REASON = "stands behind all that is there"
answer = {
    "doubles": ("connection", "e"),
    "log": "abcdeeff",
    "expires": ("too few replicas", "b"),
    "harmless": ("connection", "f"),
}
