# Plausible: right but for what expires.
"""Lets a batch expire though nothing behind it was acknowledged."""

REASON = "expires: with the answer to c those behind it are lost, too"
answer = {
    "doubles": ("connection", "b"),
    "log": "abcdefbcdef",
    "expires": ("connection", "c"),
    "harmless": ("connection", "f"),
}
