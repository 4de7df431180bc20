"""Exercise 06c: a read_committed reader that buffers: what it shows that it should not, and its repair.

It has the records alone: no last stable offset, and no list of what was aborted, which brokers hand out (KIP-98).
"""

import inspect
import random
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from .... import show as drawing
from ....errors import BadInput
from ..chapter_05.search import Broken, Found, asked, copied, frozen, searched, step
from ..reply import has_dots, right, unsolved, wrong
from ..run_answer import called
from ..task import Task
from .partition import ABORT, COMMIT, DATA, grown, last_stable, tape, told, transactions, visible

NAMES = ("log", "reader")
LONGEST = 4  # entries of the logs of which every schedule is tried
MOST = 20_000
RUNS, ENTRIES = 500, 10  # of longer logs, by a fixed seed
SECONDS = 60.0  # a guard; it takes a second or two
EXAMPLE = (
    (DATA, "a", "tea"),
    (DATA, None, "milk"),
    (DATA, "b", "sugar"),
    (ABORT, "b", None),
    (DATA, "b", "cake"),
    (COMMIT, "a", None),
)


class Buffers:
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


def fed(reader, log, offset):
    """Give a reader the entry at an offset. Returns what it shows, as a list. Raises `Broken`."""
    shown = asked(f"read at offset {offset}", reader.read, offset, *log[offset])
    if not isinstance(shown, (list, tuple)):
        raise Broken(f"read returns {shown!r}; return the list of the values that it shows now.")
    return shown


def _position(reader, log):
    position = getattr(reader, "position", None)
    if isinstance(position, bool) or not isinstance(position, int) or not 0 <= position <= len(log):
        raise Broken(f"self.position is {position!r}; it is the offset to go on from, 0 to {len(log)} here.")
    return position


@dataclass(frozen=True)
class Reading:
    """A log that grows, a reader of it, the offset it reads next, and what was shown up to now, in all its lives."""

    make: Any
    reader: Any
    entries: tuple = ()
    next: int = 0
    shown: tuple = ()
    longest: int = LONGEST

    @property
    def log(self):
        """The log, what was shown, and the reader's position, for the picture."""
        return self.entries, self.shown, getattr(self.reader, "position", 0)

    def moves(self):
        """Yield what can happen next: an entry comes, the reader reads one, or restarts."""
        if len(self.entries) < self.longest:
            for entry in grown(self.entries):
                yield "The log grows", lambda entry=entry: self.grows(entry)
        if self.next < len(self.entries):
            yield f"The reader reads offset {self.next}", self.reads
        yield "The reader restarts at its position", self.restarts

    def grows(self, entry):
        """Return (the state with one more entry, where)."""
        return replace(self, entries=(*self.entries, entry)), told(len(self.entries), entry)

    def reads(self):
        """Return (the state after one entry was read, what was shown). Raises `Broken` if that is wrong."""
        words, reader, before = f"The reader reads offset {self.next}", copied(self.reader), self.reader.position
        after = replace(self, reader=reader, next=self.next + 1)
        with step(words, after):
            shown = fed(reader, self.entries, self.next)
        after = replace(after, shown=(*self.shown, *shown))
        with step(f"{words}: it shows {_listed(shown)}", after):
            after.judge()
            if reader.position < before:
                raise Broken(f"The position goes back, from {before} to {reader.position}.")
        return after, f"it shows {_listed(shown)}, and its position is {reader.position}"

    def restarts(self):
        """Return (the state with a new reader at the old one's position, where)."""
        position = _position(self.reader, self.entries)
        fresh = asked(f"Reader({position})", self.make, position)
        if getattr(fresh, "position", None) != position:
            raise Broken(f"Reader({position}) begins with position {getattr(fresh, 'position', None)!r}.")
        return replace(self, reader=fresh, next=position), f"it reads on from {position}"

    def judge(self):
        """Raise `Broken` unless exactly what is visible below the position was shown, in order."""
        position, stable = _position(self.reader, self.entries), last_stable(self.entries, len(self.entries))
        seen = [(offset, value) for offset, value in visible(self.entries, len(self.entries))]
        values = [value for _, value in seen]
        for value in self.shown:
            if value not in values:
                raise Broken(_never(self.entries, stable, value))
        if position > stable:
            raise Broken(
                f"The position is {position}, and the last stable offset {stable}: a reader that restarts there "
                f"never shows what is at {stable}, should it be committed."
            )
        wanted = [value for offset, value in seen if offset < position]
        if missing := [value for value in wanted if value not in self.shown]:
            raise Broken(
                f"The position is {position}, and {missing[0]!r}, which is committed before it, was not shown."
            )
        if doubled := [value for place, value in enumerate(self.shown) if value in self.shown[:place]]:
            raise Broken(f"{doubled[0]!r} is shown twice.")
        if early := [value for value in self.shown if value not in wanted]:
            raise Broken(
                f"{early[0]!r} is shown, and the position, {position}, is not behind it: after a restart it is shown "
                "again."
            )
        if list(self.shown) != wanted:
            raise Broken(f"It shows {_listed(self.shown)}; in the order of the offsets it is {_listed(wanted)}.")

    def settle(self):
        """Read on while the log stays as it is: all that is decided has to be shown."""
        state, stable = self, last_stable(self.entries, len(self.entries))
        while state.next < len(self.entries):
            state, _ = state.reads()
        if state.reader.position != stable:
            with step("The log stays as it is, and the reader reads it to the end", state):
                raise Broken(
                    f"Its position stays at {state.reader.position}, and everything below {stable} is decided: it "
                    "holds back what could be shown."
                )

    def key(self):
        """Return bytes that are equal for equal states only."""
        return frozen(self.reader, self.entries, self.next, self.shown)


def _never(log, stable, value):
    offset = next((place for place, entry in enumerate(log) if entry[0] == DATA and entry[2] == value), None)
    if offset is None:
        return f"It shows {value!r}, which is no record of this log."
    if offset >= stable:
        return (
            f"It shows {value!r} of offset {offset}, and the last stable offset is {stable}. What is there is not "
            "decided, or stands behind something that is not."
        )
    producer = log[offset][1]
    one = [each for each in transactions(log) if each.producer == producer and each.first <= offset][-1]
    return f"It shows {value!r} of offset {offset}, whose transaction was aborted at offset {one.marker}."


def _listed(values):
    return ", ".join(map(str, values)) or "nothing"


def explore(theirs):
    """Return what every schedule of small logs, and then long logs at random, show of a reader's class."""
    make = theirs["reader"]
    try:
        first = Reading(make, asked("Reader(0)", make, 0))
        first.judge()
    except Broken as why:
        return Found(str(why), traceback=why.traceback)
    found = searched(first, MOST)
    if found.sentence or not found.whole:
        return found
    for seed in range(RUNS):
        long = at_random(replace(first, longest=ENTRIES), random.Random(seed))
        if long.sentence:
            return long
    return found


def at_random(state, chance, steps=20):
    """Return what comes of a schedule by chance, as a `Found`."""
    lines = []
    try:
        for _ in range(steps):
            words, move = chance.choice(list(state.moves()))
            state, answer = move()
            lines.append(f"{words}: {answer}")
        state.settle()
    except Broken as why:
        return Found(str(why), (*lines, why.words), (why.state or state).log, traceback=why.traceback)
    return Found("", tuple(lines), state.log)


def once(theirs, log):
    """Return what a reader shows of a log, from its first entry to its last, as a `Found`."""
    lines, shown, reader = [], [], None
    try:
        reader = asked("Reader(0)", theirs["reader"], 0)
        for offset in range(len(log)):
            now = fed(reader, log, offset)
            shown += now
            lines.append(f"{told(offset, log[offset])}: it shows {_listed(now)}; position {_position(reader, log)}")
    except Broken as why:
        return Found(str(why), tuple(lines), (tuple(log), tuple(shown), 0), traceback=why.traceback)
    return Found("", tuple(lines), (tuple(log), tuple(shown), _position(reader, log)))


def read(answer):
    """Return the answer, or None for one with dots. Raises `BadInput` for another form."""
    if answer is ... or (isinstance(answer, dict) and has_dots(answer)):
        return None
    if not isinstance(answer, dict) or set(answer) != set(NAMES) or not isinstance(answer["reader"], type):
        raise BadInput(
            f"The answer is {repr(answer)[:80]}; it is a dictionary with log, a list, and reader, a class."
        )
    if not any(callable(held) for held in vars(answer["reader"]).values()):
        return None
    if not callable(getattr(answer["reader"], "read", None)):
        raise BadInput("The class has no method read; it needs __init__ and read.")
    return {**answer, "log": checked(answer["log"])}


def checked(entries):
    """Return a log as a tuple of entries. Raises `BadInput` for one that cannot be."""
    if not isinstance(entries, (list, tuple)):
        raise BadInput(f"log is {entries!r}; it is a list of entries, such as [('data', 'a', 'tea')].")
    log = ()
    for entry in entries:
        if not isinstance(entry, (list, tuple)) or len(entry) != 3:
            raise BadInput(f"An entry is {entry!r}; it is ('data', producer, value) or ('commit', producer, None).")
        kind, producer, value = entry
        opened = [one.producer for one in transactions(log) if one.marker is None]
        if kind not in (DATA, COMMIT, ABORT):
            raise BadInput(f"The entry {entry!r} is no 'data', 'commit' or 'abort'.")
        if producer not in (None, "a", "b"):
            raise BadInput(f"The entry {entry!r} has the producer {producer!r}; it is 'a', 'b' or None.")
        if kind != DATA and producer not in opened:
            raise BadInput(f"The entry {entry!r} ends a transaction of {producer!r}, which has none open there.")
        if kind == DATA and (not isinstance(value, str) or value in [each[2] for each in log]):
            raise BadInput(f"The entry {entry!r}: give each record a text of its own, such as 'tea'.")
        log = (*log, (kind, producer, value if kind == DATA else None))
    return log


def check(answer):
    """Judge the log against the reader that buffers, and then the learner's class in every schedule."""
    answer = read(answer)
    if answer is None:
        return unsolved("a log and a class")
    log = answer["log"]
    found, should = once({"reader": Buffers}, log), [value for _, value in visible(log, len(log))]
    if list(found.log[1]) == should:
        return wrong(
            f"Of your log the buffering reader shows {_listed(should)}, as it should. Look for one of which it shows "
            "more, or in another order.",
            picture=drawn(found, "The buffering reader and your log"),
        )
    theirs = {"reader": answer["reader"]}
    found = called(explore, theirs, seconds=SECONDS)
    if found.sentence:
        return wrong(
            found.sentence, picture=drawn(found, "The shortest schedule against it"), traceback=found.traceback
        )
    if not found.whole:
        return wrong(f"After {MOST:,} states there are still new ones. Keep in self what is undecided, and no more.")
    return right(
        "What it shows is what read_committed shows: in the order of the offsets, once, and after a restart it goes "
        f"on where it was. Tried were all schedules of logs of up to {LONGEST} entries ({found.states:,} states), "
        f"and {RUNS} longer ones by chance. The price: it holds in memory all that stands behind the oldest open "
        "transaction.",
        picture=drawn(called(once, theirs, EXAMPLE), "What it shows of the example"),
    )


def drawn(found, title, right_too=True):
    """Return the picture of a schedule, line by line, of the log with the position, and of what was shown."""
    entries, shown, position = found.log or ((), (), 0)
    lines = "".join(f"<li>{escape(line[:1].upper() + line[1:])}.</li>" for line in found.lines if line)
    at = position if isinstance(position, int) and not isinstance(position, bool) else 0
    picture, stable = drawing.log(tape(entries), {"position": at}), last_stable(entries, len(entries))
    said = [f"It has shown: {_listed(shown)}"]
    if right_too:
        seen = _listed(value for _, value in visible(entries, len(entries)))
        said += [f"read_committed shows: {seen}", f"The last stable offset is {stable}"]
    html = f"<p><b>{'<br>'.join(map(escape, said))}</b></p>"
    return drawing.Picture(
        f'<p class="eo-h">{title}</p>{f"<ol>{lines}</ol>" if lines else ""}{picture.fragment()}{html}',
        text="\n".join([*(line for line in found.lines if line), str(picture), *said]),
    )


def show(answer):
    """Draw what the class shows of an example; without one, the code of the reader that buffers."""
    answer = read(answer)
    if answer is not None:
        return drawn(
            called(once, {"reader": answer["reader"]}, EXAMPLE), "Your reader, entry by entry", right_too=False
        )
    return drawing.Picture(drawing.code_html(Buffers, remark=False), text=inspect.getsource(Buffers))


TASK = Task(
    title="a reader that buffers",
    answer="answer_c",
    show=show,
    check=check,
    hints=(
        "The buffering reader lets records overtake each other: which record is shown before one that stands in "
        "front of it? Two entries are enough for the log.",
        "What may be shown at any moment is what stands in front of the oldest transaction that is undecided. So "
        "hold everything in one list, in the order of the offsets, also records of no transaction, and show from its "
        "front.",
        "For each entry that is held: its offset, its producer, its value, and whether it is decided, and how. A "
        "marker decides all held entries of its producer. Then take entries from the front as long as they are "
        "decided; the position is the offset of the first that is left, or the one behind the last that was read.",
        "self.held is a list of [offset, producer, value, fate]. Data: append with fate 'commit' if producer is "
        "None, else None. Marker: for each of its producer's with fate None set fate = kind. Then while self.held "
        "and self.held[0][3]: take it off, and show it if its fate is 'commit'. self.position = self.held[0][0] if "
        "self.held else offset + 1.",
    ),
)
