# Plausible: right but for the log.
"""Trusts the numbers."""

REASON = "Java bumps the epoch"
answer = {
    "doubles": ("connection", "b"),
    "log": "abcdef",
    "expires": ("too few replicas", "b"),
    "harmless": ("connection", "f"),
}
