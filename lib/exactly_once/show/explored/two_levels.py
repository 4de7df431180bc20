"""The transaction protocol at two levels: above, the requests of the protocol; below, the possible ends of each
transaction, or the possible stores.
"""

import itertools
import re
from html import escape

import pandas as pd

from ...errors import BadInput
from ...explore.proof import Counterexample
from ...handlers.transaction_protocol import (
    ABORTED,
    COMMITTED,
    State,
    fates,
    moment_of_commit,
    story,
    transactions_in,
)
from ...handlers.transaction_protocol.events import CHANGELOG, shown, wrong
from ...handlers.transaction_protocol.parts import OFFSETS, OUTPUTS, PARTITIONS, state_of
from ..base.canvas import box, cross, diamond, dot, group, lane, line, svg, tip, words
from ..base.picture import Picture, scrolling

LEFT, RIGHT, TOP, LANE, COLUMN, BAR = 128, 12, 46, 44, 48, 32
CHARACTER = 7.1  # pixels, on the average
SERVERS = {"coordinator": "coordinator", OUTPUTS[0]: OUTPUTS[0], OUTPUTS[1]: OUTPUTS[1], OFFSETS: "the offsets"}
BANDS = {
    frozenset({COMMITTED, ABORTED}): ("amber", "can still go either way"),
    frozenset({COMMITTED}): ("green", "is committed, whatever comes"),
    frozenset({ABORTED}): ("grey", "will never be committed"),
}
VERBS = {
    "initialises": "init",
    "loads": "load",
    "adds": "add",
    "writes": "write",
    "asks for": "epoch",
    "asks to commit": "commit",
    "asks to abort": "abort",
}


def two_levels(run: Counterexample | list[tuple[str, State]], hidden: bool = False, stores: bool = False) -> Picture:
    """Return the picture of a run of the transaction protocol, with the abstract store as a lower level.

    `run` is a `Counterexample` of `prove`, or a result of `a_run`; its events are numbered from 1. The lower level
    shows after each event the possible ends of each transaction, and marks the moment of its commit: the event after
    which nothing can undo it. `hidden` leaves the lower level empty, for a reader who has yet to place that moment.
    With `stores` the lower level shows the abstract stores that are possible after each event, named by their
    committed transactions: the stores that could have shown all the observed values. Raises `BadInput` for anything
    else.
    """
    run = story(run) if isinstance(run, Counterexample) else run
    if not (isinstance(run, list) and len(run) > 1 and all(isinstance(state, State) for _, state in run)):
        raise BadInput("Give a counterexample of the transaction protocol, or a run as `a_run` returns it.")
    drawn, complaint = (_Stores if stores else _Drawing)(run, hidden), wrong(run[-1][1])
    says = ""
    if complaint and not hidden:
        says = (
            '<div class="eo-says eo-is-bad" style="margin-bottom:8px"><strong>✗ Not what a transactional store '
            f"does.</strong> {escape(complaint[0].upper() + complaint[1:])}.</div>"
        )
    frame = scrolling(drawn.svg(), "Run of the protocol")
    return Picture(f"{says}{frame}", drawn.table(), unfold="The events as a table")


class _Drawing:
    """A column for each event, a lane for each process that acts or is asked, a bar for each transaction."""

    BELOW = "abstract store"  # the name of the lower level

    def __init__(self, run, hidden):
        self.run, self.hidden, self.transactions = run, hidden, transactions_in(run)
        self.broken = wrong(run[-1][1]) is not None
        names = [name for name in ("incarnation 1", "incarnation 2") if any(name in event for event, _ in run)]
        self.lanes = {name: TOP + LANE * place for place, name in enumerate([*names, *SERVERS])}
        self.floor = TOP + LANE * len(self.lanes) - 14
        self.width = max(LEFT + COLUMN * len(run) + RIGHT, 560)
        self.height = self.floor + 30 + (BAR + 18) * len(self.below())
        self.labelled = 0  # where the last word about the coordinator ended

    def svg(self):
        marks = [*self._ground(), *map(self._event, range(1, len(self.run)))]
        for place, name in enumerate(self.below()):
            marks += self._becomes(name, place)
        about = f"A run of {len(self.run) - 1} events, and the abstract store beneath. The table below says the same."
        return svg(marks, self.width, self.height, about)

    def below(self):
        """Return the names of the bars of the lower level."""
        return self.transactions

    def x(self, number):
        return LEFT + COLUMN * (number - 0.5)

    @property
    def end(self):
        return self.width - RIGHT

    def _ground(self):
        yield words(2, 16, "event", "sub")
        for name, y in self.lanes.items():
            yield lane(SERVERS.get(name, name), y)
            yield line(LEFT - 12, y, self.end, y, "line")
        yield line(2, self.floor, self.end, self.floor, stroke="edge")
        yield words(2, self.floor + 16, self.BELOW, "sub")

    def _event(self, number):
        name, before, after = self.run[number][0], self.run[number - 1][1], self.run[number][1]
        x, (who, verb, server) = self.x(number), _parsed(name)
        start, end = self.lanes.get(who), self.lanes.get(server)
        lost = name.endswith("the request is late")
        fault = who is None or "; " in name or re.search(r": [A-Z]", name)
        colour = "red" if fault else "purple" if who == "coordinator" else "blue"
        drawn = [words(x, 16, number, "sub", "middle")]
        if start is None:
            start = end - LANE / 2
            verb = "late" if "arrives" in name else "dies"
        if verb:
            drawn.append(_text(x, start - 9, verb, "red" if fault else "text"))
        drawn.append(dot(x, start, 4.5, fill=colour))
        if end is not None and end != start:
            down = 1 if end > start else -1
            stop = start + down * 20 if lost else end - down * 10
            drawn.append(line(x, start, x, stop, stroke=colour, wide=1.5, **({"dash": "3 3"} if lost else {})))
            drawn.append(_cross(x, stop) if lost else tip((x, start), (x, stop), 7, 4, fill=colour))
        drawn += [
            _box(x, self.lanes[one], *_became(before.contents[place], after.contents[place]))
            for place, one in enumerate(PARTITIONS)
            if before.contents[place] != after.contents[place]
        ]
        if state_of(before.kept) != state_of(after.kept):
            drawn += self._state(x, state_of(after.kept))
        return group(*drawn, title=f"{number}. {name}")

    def _state(self, x, word):
        """Write the coordinator's new state below its lane, or above where the last state leaves no room."""
        y, half = self.lanes["coordinator"], CHARACTER * len(word) / 2
        below = x - half > self.labelled + 4
        self.labelled = x + half if below else self.labelled
        yield dot(x, y, 4.5, fill="purple")
        yield _text(x, y + 18 if below else y - 9, word, "purple")

    def _frame(self, title, y, question):
        """Yield the title and the empty bar of one line of the lower level, and when it is hidden the question."""
        yield words(2, y + 21, title, "lane")
        yield box(LEFT - 12, y, self.end - LEFT + 12, BAR, rx=3, fill="none", stroke="edge", dash="4 4")
        if self.hidden:
            yield _text((LEFT + self.end) / 2, y + 21, question, "dim")

    def _becomes(self, name, place):
        """Yield the possible ends of a transaction, after each event."""
        y = self.floor + 26 + (BAR + 18) * place
        title = f"transaction {name}"
        if self.hidden:
            yield from self._frame(title, y, "at which event is it committed?")
            return
        yield words(2, y + 21, title, "lane")
        for first, after, ends in _stretches([fates(state, name) for _, state in self.run]):
            yield self._band(first, after, y, *BANDS[ends])
        moment = None if self.broken else moment_of_commit(self.run, name)
        if moment is not None:
            yield self._moment(self.x(moment), y, f"event {moment}: the moment of the commit")

    def _band(self, first, after, y, colour, said):
        """Draw one state from one event to another one; the words as far as there is room for them."""
        x1 = LEFT - 12 if first == 0 else self.x(first)
        x2 = self.end if after == len(self.run) else self.x(after)
        said = next((one for one in (said, said.split(",")[0]) if CHARACTER * len(one) + 30 < x2 - x1), "")
        band = box(x1, y, x2 - x1, BAR, fill=colour, opacity=0.2)
        return group(band, _text((x1 + x2) / 2, y + 21, said, "text"))

    def _moment(self, x, y, said):
        return group(
            line(x, 24, x, y + 4, stroke="green", wide=1.4, dash="5 3"),
            diamond(x, y + 16, 9, fill="green"),
            words(min(x, self.end - 3.7 * len(said)), y + BAR + 13, said, "", "middle", fill="green", weight=700),
        )

    def table(self):
        """Return the events, the values that readers see after each event, and the possible ends of each
        transaction.
        """
        rows = []
        for number, (name, state) in enumerate(self.run[1:], 1):
            outputs, position = shown(state)
            row = {"event": number, "what happens": name, "coordinator": state_of(state.kept)}
            row |= {f"{one} shows": ", ".join(seen) or "–" for one, seen in zip(OUTPUTS, outputs, strict=True)}
            row["position"] = position
            rows.append(row | ({} if self.hidden else self.told(number, state)))
        return pd.DataFrame(rows)

    def told(self, number, state):
        """Return the content of the lower level after an event, for the table."""
        return {name: BANDS[fates(state, name)][1] for name in self.transactions}


class _Stores(_Drawing):
    """The same drawing, with the possible stores at the lower level."""

    BELOW = "possible stores, by what they have committed"

    def __init__(self, run, hidden):
        self.possible = [
            {", ".join(name for name, _ in store.committed) for store, _ in state.possible} for _, state in run
        ]
        super().__init__(run, hidden)

    def below(self):
        """Return the stores that are possible at any time, named by their committed transactions."""
        return sorted(set().union(*self.possible))

    def _becomes(self, store, place):
        y = self.floor + 26 + (BAR + 18) * place
        yield from self._frame(store or "nothing", y, "when is this store possible?")
        # not possible, the only one, one of several
        kinds = [(store in among) * min(2, len(among)) for among in self.possible]
        for first, after, kind in _stretches([] if self.hidden else kinds):
            if not kind:
                continue
            yield self._band(first, after, y, *[("green", "the only one"), ("amber", "possible")][kind - 1])
            if after < len(kinds) and not kinds[after]:
                x, said = self.x(after), "" if self.possible[after] else "none is left"
                yield group(_cross(x, y + 16), title=f"no longer, after {after}. {self.run[after][0]}")
                yield _text(min(x, self.end - 40), y + BAR + 13, said, "red")

    def told(self, number, state):
        """Return the stores that are possible after an event."""
        named = [store or "nothing" for store in sorted(self.possible[number])]
        return {"possible stores": " or ".join(named) or "none"}


def _parsed(name):
    """Return (the lane of the actor, its action in a word, the lane of the asked process); None for a missing
    lane.
    """
    words = re.sub(r"^incarnation 1 (dies|is stalled), and ", "", name)
    actor = re.match(r"incarnation \d|the coordinator", words)
    who = actor[0].removeprefix("the ") if actor else None
    verb = next((short for long, short in (VERBS).items() if long in words), "")
    output = re.search(r"output-\d", words)
    if "writes" in words or "broker that leads" in words:
        return who, "" if who == "coordinator" else verb, output[0] if output else OFFSETS
    if "loads" in words:
        return who, verb, OFFSETS if "position" in words else CHANGELOG
    return (who, verb, None) if who == "coordinator" else (who, verb, "coordinator")


def _became(before, after):
    """Return (words, colour) for the newest entry of a partition."""
    what, *arguments = next((one for one in after if one not in before), after[-1])
    if what == "append":
        return str(arguments[-1]), "blue"
    if what == "position":
        return f"pos {arguments[0]}", "blue"
    if what == "marker":
        return ("C", "green") if arguments[1] == "commit" else ("A", "red")
    return "✖", "red"


def _stretches(values):
    """Yield (first, after, value) for each stretch of equal values."""
    first = 0
    for value, same in itertools.groupby(values):
        after = first + len(list(same))
        yield first, after, value
        first = after


def _box(x, y, said, colour):
    wide = max(18, 7 * len(said) + 8)
    frame = box(x - wide / 2, y - 9, wide, 18, rx=3, fill="bg", stroke=colour, wide=1.7)
    return group(frame, words(x, y + 4, said, "", "middle", fill=colour, weight=700))


def _text(x, y, said, colour):
    return words(x, y, said, "halo", "middle", fill=colour)


def _cross(x, y):
    return cross(x, y, 4, wide=2.5)
