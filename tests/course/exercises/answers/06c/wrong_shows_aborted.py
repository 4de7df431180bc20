"""Takes any marker for a commit."""

REASON = "whose transaction was aborted at offset"


class Reader:
    def __init__(self, position):
        self.position, self.held = position, []

    def read(self, offset, kind, producer, value):
        if kind == "data":
            self.held.append([offset, producer, value, producer is None])
        for each in self.held:
            each[3] = each[3] or (kind != "data" and each[1] == producer)
        shown = []
        while self.held and self.held[0][3]:
            shown.append(self.held.pop(0)[2])
        self.position = self.held[0][0] if self.held else offset + 1
        return shown


answer = {"log": [("data", "a", "tea"), ("data", None, "milk")], "reader": Reader}
