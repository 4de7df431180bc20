"""Overwrites the fate of what is decided when the producer's next marker comes."""

REASON = "of offset 2, and the last stable offset is 2"


class Reader:
    def __init__(self, position):
        self.position, self.held, self.fate = position, [], {None: "commit"}

    def read(self, offset, kind, producer, value):
        if kind == "data":
            self.held.append([offset, producer, value])
        else:
            self.fate[producer] = kind
        shown = []
        while self.held and self.held[0][1] in self.fate:
            _, producer, value = self.held.pop(0)
            shown += [value] if self.fate[producer] == "commit" else []
        self.position = self.held[0][0] if self.held else offset + 1
        return shown


answer = {"log": [("data", "a", "tea"), ("data", None, "milk")], "reader": Reader}
