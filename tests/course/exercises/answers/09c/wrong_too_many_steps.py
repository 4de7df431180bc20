"""A step of a process that has ended."""

REASON = "has come to its end before"
answer = "QQQQ"
