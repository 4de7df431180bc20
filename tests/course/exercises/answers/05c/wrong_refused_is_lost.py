"""Takes a batch that was not written for one that expires."""

REASON = "expires: b is not in the log when it comes again"
answer = {
    "doubles": ("connection", "b"),
    "log": "abcdefbcdef",
    "expires": ("not written", "b"),
    "harmless": ("connection", "f"),
}
