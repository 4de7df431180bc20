"""Answers to the gap 06-shown."""

from tests.course.answers import Answers

answers = Answers("06-shown")

answers.right("looks back at each entry").code("""
    def answer(entries, aborted):
        values = []
        markers = {}
        for offset, producer, kind, _ in entries:
            if kind == "abort":
                markers.setdefault(producer, []).append(offset)
        spans = []
        for producer, first in aborted:
            end = min((m for m in markers.get(producer, ()) if m > first), default=float("inf"))
            spans.append((producer, first, end))
        for offset, producer, kind, value in entries:
            if kind == "record" and not any(p == producer and first <= offset < end for p, first, end in spans):
                values.append(value)
        return values
""")

answers.right("with names of its own").code("""
    def answer(entries, aborted):
        out, gone, todo = [], {}, list(aborted)
        for offset, producer, kind, value in entries:
            for pair in [pair for pair in todo if pair[1] <= offset]:
                gone[pair[0]] = True
                todo.remove(pair)
            if kind != "record":
                gone[producer] = False
            elif not gone.get(producer):
                out.append(value)
        return out
""")

answers.wrong(
    "any marker ends it", ("hidden.discard(producer)", "hidden.clear()"), reason="says nothing of producer 7"
)

answers.wrong("shows markers", ('elif kind == "record" and producer', "elif producer"), reason="should return")

answers.wrong("begins at the first offset alone", reason="begins in the middle of an aborted transaction").code("""
    def answer(entries, aborted):
        values, hidden = [], set()
        for offset, producer, kind, value in entries:
            if (producer, offset) in aborted:
                hidden.add(producer)
            if kind == "abort":
                hidden.discard(producer)
            elif kind == "record" and producer not in hidden:
                values.append(value)
        return values
""")

answers.wrong("hides for good", reason="records are hidden up to the abort marker").code("""
    def answer(entries, aborted):
        return [
            value
            for offset, producer, kind, value in entries
            if kind == "record" and not any(one == producer and first <= offset for one, first in aborted)
        ]
""")

answers.wrong("hides the producer altogether", reason="should return").code("""
    def answer(entries, aborted):
        gone = {producer for producer, _ in aborted}
        return [value for _, producer, kind, value in entries if kind == "record" and producer not in gone]
""")

answers.wrong("looks ahead for the marker", reason="only the list says that it was aborted").code("""
    def answer(entries, aborted):
        values = []
        for place, (_, producer, kind, value) in enumerate(entries):
            ends = (other for _, who, other, _ in entries[place:] if who == producer and other != "record")
            if kind == "record" and next(ends, "commit") == "commit":
                values.append(value)
        return values
""")

answers.wrong("shows all", reason="was aborted").code("""
    def answer(entries, aborted):
        return [value for _, _, kind, value in entries if kind == "record"]
""")
