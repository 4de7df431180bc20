"""Shows only when nothing at all is open."""

REASON = "it holds back what could be shown"


class Reader:
    def __init__(self, position):
        self.position, self.held = position, []

    def read(self, offset, kind, producer, value):
        if kind == "data":
            self.held.append([offset, producer, value, "open" if producer else "commit"])
        for each in self.held:
            if kind != "data" and each[1] == producer and each[3] == "open":
                each[3] = kind
        if any(each[3] == "open" for each in self.held):
            return []
        shown = [value for _, _, value, fate in self.held if fate == "commit"]
        self.held, self.position = [], offset + 1
        return shown


answer = {"log": [("data", "a", "tea"), ("data", None, "milk")], "reader": Reader}
