"""Shows in order, and never moves the position."""

REASON = "after a restart it is shown again"


class Reader:
    def __init__(self, position):
        self.position, self.held = position, []

    def read(self, offset, kind, producer, value):
        if kind == "data":
            self.held.append([producer, value, "open" if producer else "commit"])
        for each in self.held:
            if kind != "data" and each[0] == producer and each[2] == "open":
                each[2] = kind
        shown = []
        while self.held and self.held[0][2] != "open":
            _, value, fate = self.held.pop(0)
            shown += [value] if fate == "commit" else []
        return shown


answer = {"log": [("data", "a", "tea"), ("data", None, "milk")], "reader": Reader}
