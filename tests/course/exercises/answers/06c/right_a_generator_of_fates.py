"""Objects for transactions: a held record refers to its own."""


class Transaction:
    def __init__(self, fate=None):
        self.fate = fate


class Reader:
    def __init__(self, position):
        self.position = position
        self.opened = {}
        self.line = []

    def read(self, offset, kind, producer, value):
        if kind == "data":
            if producer is None:
                mine = Transaction("commit")
            else:
                mine = self.opened.setdefault(producer, Transaction())
            self.line.append((offset, value, mine))
        elif producer in self.opened:
            self.opened.pop(producer).fate = kind
        shown = []
        while self.line and self.line[0][2].fate is not None:
            _, value, mine = self.line.pop(0)
            if mine.fate == "commit":
                shown.append(value)
        self.position = self.line[0][0] if self.line else offset + 1
        return shown


answer = {"log": (("data", "a", "tea"), ("data", None, "milk"), ("commit", "a", None)), "reader": Reader}
