"""The mishaps as lists."""

answer = {
    "doubles": ["connection", "b"],
    "log": "abcdefbcdef",
    "expires": ["too few replicas", "b"],
    "harmless": ["connection", "f"],
}
