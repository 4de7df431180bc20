"""What becomes of the batch that is sent alone: it is the newest one."""

answer = {
    "doubles": ("connection", "c"),
    "log": "abcdefcdef",
    "expires": ("too few replicas", "d"),
    "harmless": ("connection", "a"),
}
