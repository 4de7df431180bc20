# Plausible: right as long as transactions do not overlap, and nothing dies.
"""The class as it was."""

REASON = "and the last stable offset 0"


class Reader:
    def __init__(self, position):
        self.position = position
        self.held = {}

    def read(self, offset, kind, producer, value):
        self.position = offset + 1
        if kind == "commit":
            return self.held.pop(producer, [])
        if kind == "abort":
            self.held.pop(producer, None)
            return []
        if producer is None:
            return [value]
        self.held.setdefault(producer, []).append(value)
        return []


answer = {"log": [("data", "a", "tea"), ("data", None, "milk")], "reader": Reader}
