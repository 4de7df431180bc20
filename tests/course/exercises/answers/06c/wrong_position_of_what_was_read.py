# Plausible: right as long as it does not restart.
"""Shows in order, and lets the position run ahead of what is held."""

REASON = "a reader that restarts there never shows what is at 0"


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
        self.position = offset + 1
        return shown


answer = {"log": [("data", "a", "tea"), ("data", None, "milk")], "reader": Reader}
