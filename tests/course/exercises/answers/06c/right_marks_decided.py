"""Keeps entries and fates apart, and computes the position from them."""


class Reader:
    def __init__(self, position):
        self.start, self.entries, self.position = position, [], position

    def read(self, offset, kind, producer, value):
        self.entries.append((kind, producer, value))
        stable, began, spans = len(self.entries), {}, []
        for place, (what, who, _) in enumerate(self.entries):
            if what != "data":
                spans.append((who, began.pop(who, 0), place, what))
            elif who is not None:
                began.setdefault(who, place)
        stable = min([stable, *began.values()])
        hidden = [(who, a, z) for who, a, z, what in spans if what == "abort"]
        shown = [
            held
            for place, (what, who, held) in enumerate(self.entries[:stable])
            if what == "data" and not any(who == each and a <= place < z for each, a, z in hidden)
        ]
        self.entries = self.entries[stable:]
        self.start = self.position = self.start + stable
        return shown


answer = {"log": [("data", "b", "tea"), ("data", "a", "milk"), ("commit", "a", None)], "reader": Reader}
