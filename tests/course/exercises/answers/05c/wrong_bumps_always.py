"""Bumps the epoch whenever a number is refused."""

REASON = "doubles: b is refused, and not written again"
answer = {
    "doubles": ("too few replicas", "b"),
    "log": "abcdefb",
    "expires": ("connection", "b"),
    "harmless": ("connection", "f"),
}
