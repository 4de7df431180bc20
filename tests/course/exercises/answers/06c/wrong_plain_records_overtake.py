# Plausible: right as long as every record is in a transaction.
"""Keeps the transactions in order, and shows other records at once."""

REASON = "the last stable offset is 0"


class Reader:
    def __init__(self, position):
        self.position, self.held = position, []

    def read(self, offset, kind, producer, value):
        shown = []
        if kind == "data" and producer is None:
            shown = [value]
        elif kind == "data":
            self.held.append([offset, producer, value, "open"])
        for each in self.held:
            if kind != "data" and each[1] == producer and each[3] == "open":
                each[3] = kind
        while self.held and self.held[0][3] != "open":
            _, _, value, fate = self.held.pop(0)
            shown += [value] if fate == "commit" else []
        self.position = self.held[0][0] if self.held else offset + 1
        return shown


answer = {"log": [("data", "a", "tea"), ("data", None, "milk")], "reader": Reader}
