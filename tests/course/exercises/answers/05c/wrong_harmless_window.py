# Plausible: right but for the harmless one.
"""Reckons with the whole window of five, which the restart has cut down to one."""

REASON = "harmless: after the error NotEnoughReplicasAfterAppend for b, a batch that is in the log expires"
answer = {
    "doubles": ("connection", "b"),
    "log": "abcdefbcdef",
    "expires": ("too few replicas", "c"),
    "harmless": ("too few replicas", "b"),
}
