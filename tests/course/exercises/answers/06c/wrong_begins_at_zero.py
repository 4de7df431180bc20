"""Forgets its position when it is started anew."""

REASON = "begins with position 0"


class Reader:
    def __init__(self, position):
        self.position, self.held = 0, []

    def read(self, offset, kind, producer, value):
        if kind == "data":
            self.held.append([offset, producer, value, "open" if producer else "commit"])
        for each in self.held:
            if kind != "data" and each[1] == producer and each[3] == "open":
                each[3] = kind
        shown = []
        while self.held and self.held[0][3] != "open":
            _, _, value, fate = self.held.pop(0)
            shown += [value] if fate == "commit" else []
        self.position = self.held[0][0] if self.held else offset + 1
        return shown


answer = {"log": [("data", "a", "tea"), ("data", None, "milk")], "reader": Reader}
