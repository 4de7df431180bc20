"""Lets the new copies stand in place of the old ones."""

REASON = "you left out c"
answer = {
    "doubles": ("connection", "c"),
    "log": "abdef",
    "expires": ("too few replicas", "b"),
    "harmless": ("connection", "f"),
}
