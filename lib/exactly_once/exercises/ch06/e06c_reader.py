"""Exercise 06c: a read_committed reader that buffers: a record that it should not show, and the repair.

The reader has only the records: no last stable offset, and no list of aborted transactions, which brokers send along
(KIP-98).
"""

import functools
import inspect
from html import escape
from typing import Any, NamedTuple

from ... import show as drawing
from ...errors import BadInput, is_whole
from ...explore.plain import Action, Broken, Model, asked, carried_out, copied, frozen, step
from ..kinds.explored import Explored
from ..kinds.reply import has_dots, wrong
from .partition import ABORT, COMMIT, DATA, grown, last_stable, tape, told, transactions, visible

NAMES = ("log", "reader")
LONGEST = 4  # entries of the logs of which every schedule is tried
RUNS, ENTRIES = 500, 10  # of longer logs, by a fixed seed
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


class State(NamedTuple):
    """A log, its reader, the offset that is read next, and all values shown so far, by all incarnations."""

    reader: Any
    entries: tuple = ()
    next: int = 0
    shown: tuple = ()


class Reading(Model):
    """A log that grows up to `longest` entries, from the `entries` of its beginning on, and a reader of it."""

    def __init__(self, make, longest=LONGEST, entries=()):
        self.make, self.longest, self.entries = make, longest, entries

    def start(self):
        """Return a reader that has read nothing."""
        return State(asked("Reader(0)", self.make, 0), self.entries)

    def actions(self, state):
        """Yield the possible next events: an entry comes, the reader reads an entry, or the reader restarts."""
        for entry in grown(state.entries) if len(state.entries) < self.longest else ():
            yield Action("The log grows", "grows", (entry,))
        if state.next < len(state.entries):
            yield Action(f"The reader reads offset {state.next}", "reads")
        yield Action("The reader restarts at its position", "restarts")

    def grows(self, state, entry):
        """Append an entry to the log."""
        return state._replace(entries=(*state.entries, entry)), told(len(state.entries), entry)

    def reads(self, state):
        """Let the reader read one entry."""
        offset, reader = state.next, copied(state.reader)
        after = state._replace(reader=reader, next=offset + 1)
        with step("", after):
            shown = asked(f"read at offset {offset}", reader.read, offset, *state.entries[offset])
            if not isinstance(shown, (list, tuple)):
                raise Broken(f"read returns {shown!r}; return the list of the values that it shows now.")
        after = after._replace(shown=(*state.shown, *shown))
        with step(f"It shows {_listed(shown)}", after):
            before, position = _position(state), _position(after)
            if position < before:
                self.judge(after)
                raise Broken(f"The position goes back, from {before} to {position}.")
        return after, f"it shows {_listed(shown)}, and its position is {position}"

    def restarts(self, state):
        """Let a new reader begin at the old one's position."""
        position = _position(state)
        fresh = asked(f"Reader({position})", self.make, position)
        if getattr(fresh, "position", None) != position:
            raise Broken(f"Reader({position}) begins with position {getattr(fresh, 'position', None)!r}.")
        return state._replace(reader=fresh, next=position), f"it reads on from {position}"

    def judge(self, state):
        """Raise `Broken` unless the reader has shown exactly the visible records below the position, in order."""
        log, position, (stable, seen) = state.entries, _position(state), _decided(state.entries)
        values, wanted = [value for _, value in seen], [value for offset, value in seen if offset < position]
        for value in state.shown:
            if value not in values:
                raise Broken(_never(log, stable, value))
        if position > stable:
            raise Broken(
                f"The position is {position}, and the last stable offset {stable}: a reader that restarts there "
                f"never shows the record at {stable}, should it be committed."
            )
        if missing := [value for value in wanted if value not in state.shown]:
            raise Broken(
                f"The position is {position}, and {missing[0]!r}, which is committed below it, was not shown."
            )
        if doubled := [value for place, value in enumerate(state.shown) if value in state.shown[:place]]:
            raise Broken(f"{doubled[0]!r} is shown twice.")
        if early := [value for value in state.shown if value not in wanted]:
            raise Broken(
                f"{early[0]!r} is shown, and the position, {position}, is not behind it: after a restart the reader "
                "shows it again."
            )
        if list(state.shown) != wanted:
            raise Broken(f"It shows {_listed(state.shown)}; the order of the offsets is {_listed(wanted)}.")

    def settle(self, state):
        """Read on while the log stays as it is: every decided record has to be shown."""
        (stable, _), words = _decided(state.entries), "The log stays as it is, and the reader reads"
        while state.next < len(state.entries):
            with step(f"{words} offset {state.next}", state):
                state, _ = self.reads(state)
                self.judge(state)
        if (position := _position(state)) != stable:
            with step(f"{words} it to the end", state):
                raise Broken(
                    f"Its position stays at {position}, and everything below {stable} is decided: it holds back "
                    "records that could be shown."
                )

    def key(self, state):
        """Return bytes that are equal for equal states only."""
        return frozen(*state)

    def shown(self, state):
        """Return the log, the values that were shown, and the reader's position."""
        return state.entries, state.shown, getattr(state.reader, "position", 0)


@functools.lru_cache(maxsize=2_000)
def _decided(log):
    """Return a log's last stable offset, and the log's view under read_committed."""
    return last_stable(log, len(log)), visible(log, len(log))


def _position(state):
    position, end = getattr(state.reader, "position", None), len(state.entries)
    if not is_whole(position) or not 0 <= position <= end:
        raise Broken(f"self.position is {position!r}; it is the offset to go on from, 0 to {end} here.")
    return position


def from_the_first(model):
    """Return the schedule in which the reader reads each entry of the log."""
    entries = enumerate(model.entries)
    return [Action(f"The reader reads {told(offset, entry)}", "reads") for offset, entry in entries]


def once(make, log):
    """Return the values that a reader shows of a log, from its first entry to its last, as a `Found`."""
    model = Reading(make, entries=log)
    return carried_out(model, from_the_first(model), judged=False)


def _never(log, stable, value):
    offset = next((place for place, entry in enumerate(log) if entry[0] == DATA and entry[2] == value), None)
    if offset is None:
        return f"It shows {value!r}, which is no record of this log."
    if offset >= stable:
        return (
            f"It shows {value!r} of offset {offset}, and the last stable offset is {stable}. That record is not "
            "decided, or it stands behind an undecided one."
        )
    producer = log[offset][1]
    one = [each for each in transactions(log) if each.producer == producer and each.first <= offset][-1]
    return f"It shows {value!r} of offset {offset}, whose transaction was aborted at offset {one.marker}."


def _listed(values):
    return ", ".join(map(str, values)) or "nothing"


def read(answer):
    """Return the class in an answer, or the dots of one that has some. Raises `BadInput` for another form."""
    if answer is ... or (isinstance(answer, dict) and has_dots(answer)):
        return ...
    if not isinstance(answer, dict) or set(answer) != set(NAMES) or not isinstance(answer["reader"], type):
        raise BadInput(
            f"The answer is {repr(answer)[:80]}; it is a dictionary with log, a list, and reader, a class."
        )
    return answer["reader"]


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


def objection(answer):
    """Return the reply to a log of which the buffering reader shows the right values, or None."""
    log = checked(answer["log"])
    found, should = once(Buffers, log), [value for _, value in visible(log, len(log))]
    if list(found.shown[1]) != should:
        return None
    return wrong(
        f"Of your log the buffering reader shows {_listed(should)}, as it should. Look for a log of which the reader "
        "shows more, or another order.",
        picture=drawn(found, "The buffering reader and your log"),
    )


def drawn(found, title):
    """Return the picture of a schedule, line by line, of the log with the position, and of the values shown."""
    entries, shown, position = found.shown or ((), (), 0)
    lines = "".join(f"<li>{escape(line[:1].upper() + line[1:])}.</li>" for line in found.lines if line)
    at = position if is_whole(position) else 0
    picture, stable = drawing.log(tape(entries), {"position": at}), last_stable(entries, len(entries))
    said = [f"It has shown: {_listed(shown)}"]
    if "your reader" not in title.lower():  # a picture for `show` does not tell the right answer
        seen = _listed(value for _, value in visible(entries, len(entries)))
        said += [f"read_committed shows: {seen}", f"The last stable offset is {stable}"]
    html = f"<p><b>{'<br>'.join(map(escape, said))}</b></p>"
    return drawing.Picture(
        f'<p class="eo-h">{title}</p>{f"<ol>{lines}</ol>" if lines else ""}{picture.fragment()}{html}',
        text="\n".join([*(line for line in found.lines if line), str(picture), *said]),
    )


def sketched():
    """Draw the code of the reader that buffers."""
    return drawing.Picture(drawing.code_html(Buffers, remark=False), text=inspect.getsource(Buffers))


TASK = Explored(
    answer="answer_c",
    model=Reading,
    methods=("read",),
    form="a class, Reader, with read",
    taken=read,
    other_parts=objection,
    objects="readers",
    worlds=({"longest": LONGEST},),
    then_random=(RUNS, {"longest": ENTRIES}),
    states=20_000,
    seconds=60.0,  # a guard; it takes a second or two
    first=from_the_first,
    calm={"entries": EXAMPLE},
    judged=False,
    draw=drawn,
    shown="Your reader, entry by entry",
    sketch=sketched,
    keep="Keep in self the undecided entries, and no others.",
    praise="Your reader shows the same values as read_committed: in the order of the offsets, once, and after a "
    f"restart it continues where it was. The check tried all schedules of logs of up to {LONGEST} entries "
    f"({{states}} states), and {RUNS} longer ones by chance. The price: the reader holds in memory all records "
    "behind the oldest open transaction.",
    praised=True,
)
