"""Answers to the exercise 06c."""

from tests.course.answers import Answers

answers = Answers("06c")

# Objects for transactions: a held record refers to its own.
answers.right("a generator of fates").code("""
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
""")

# Keeps entries and fates apart, and computes the position from them.
answers.right("marks decided").code("""
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
""")

# Shows in order, and lets the position run ahead of the held records. Plausible: right while it does not restart.
answers.plausible(
    "position of what was read",
    of="position stays",
    reason="a reader that restarts there never shows the record at 0",
).diff("""
                 shown += [value] if fate == "commit" else []
    +        self.position = offset + 1
""")

# The class as it was. Plausible: right as long as transactions do not overlap, and nothing dies.
answers.plausible("buffers", reason="and the last stable offset 0").code("""
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
""")

# Keeps the transactions in order, and shows other records at once. Plausible: right as long as every record is in a
# transaction.
answers.plausible("plain records overtake", reason="the last stable offset is 0").code("""
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
""")

# A log that the buffering reader shows as it should.
answers.wrong(
    "log of one transaction",
    ('"commit"', '"data", "a", "tea"), ("commit"'),
    of="no log",
    reason="as it should. Look for a log",
)

# Forgets its position when it is started anew.
answers.wrong("begins at zero", of="waits for all", reason="begins with position 0").diff("""
    -        self.position, self.held = position, []
    +        self.position, self.held = 0, []
    @@
    -        if any(each[3] == "open" for each in self.held):
    -            return []
    -        shown = [value for _, _, value, fate in self.held if fate == "commit"]
    -        self.held, self.position = [], offset + 1
    +        shown = []
    +        while self.held and self.held[0][3] != "open":
    +            _, _, value, fate = self.held.pop(0)
    +            shown += [value] if fate == "commit" else []
    +        self.position = self.held[0][0] if self.held else offset + 1
""")

# Ends a transaction that nobody began.
answers.wrong("no log", reason="which has none open there").code("""
    class Reader:
        def __init__(self, position):
            self.position = position

        def read(self, offset, kind, producer, value):
            return []


    answer = {"log": [("commit", "a", None)], "reader": Reader}
""")

# Overwrites the fate of a decided transaction when the producer's next marker comes.
answers.wrong("one fate for a producer", reason="of offset 2, and the last stable offset is 2").code("""
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
""")

# Shows in order, and never moves the position.
answers.wrong("position stays", reason="after a restart the reader shows it again").code("""
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
""")

# Takes any marker for a commit.
answers.wrong("shows aborted", reason="whose transaction was aborted at offset").code("""
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
""")

# Shows only when nothing at all is open.
answers.wrong("waits for all", reason="it holds back records that could be shown").code("""
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
""")
