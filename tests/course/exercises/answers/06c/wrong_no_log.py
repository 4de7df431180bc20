"""Ends a transaction that nobody began."""

REASON = "which has none open there"


class Reader:
    def __init__(self, position):
        self.position = position

    def read(self, offset, kind, producer, value):
        return []


answer = {"log": [("commit", "a", None)], "reader": Reader}
