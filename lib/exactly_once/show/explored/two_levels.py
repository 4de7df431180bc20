"""The transaction protocol at two levels: above, the requests of the protocol; below, the possible ends of each
transaction, or the possible stores.
"""

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
from ..base.picture import Picture, scrolling

LEFT, RIGHT, TOP, LANE, COLUMN, BAR = 128, 12, 46, 44, 48, 32
CHARACTER = 6.6  # pixels, on the average
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
        parts = [self._ground(), *map(self._event, range(1, len(self.run)))]
        parts += [self._becomes(name, place) for place, name in enumerate(self.below())]
        about = f"A run of {len(self.run) - 1} events, and the abstract store beneath. The table below says the same."
        return (
            f'<svg class="eo-st" xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{about}">{"".join(parts)}</svg>'
        )

    def below(self):
        """Return the names of the bars of the lower level."""
        return self.transactions

    def x(self, number):
        return LEFT + COLUMN * (number - 0.5)

    @property
    def end(self):
        return self.width - RIGHT

    def _ground(self):
        drawn = ['<text class="sub" x="2" y="16">event</text>']
        for name, y in self.lanes.items():
            drawn.append(
                f'<text class="lane" x="2" y="{y + 4}">{SERVERS.get(name, name)}</text>'
                f'<line class="line" x1="{LEFT - 12}" y1="{y}" x2="{self.end}" y2="{y}"/>'
            )
        drawn.append(
            f'<line x1="2" y1="{self.floor}" x2="{self.end}" y2="{self.floor}" style="stroke:var(--eo-edge)"/>'
            f'<text class="sub" x="2" y="{self.floor + 16}">{self.BELOW}</text>'
        )
        return "".join(drawn)

    def _event(self, number):
        name, before, after = self.run[number][0], self.run[number - 1][1], self.run[number][1]
        x, (who, verb, server) = self.x(number), _parsed(name)
        start, end = self.lanes.get(who), self.lanes.get(server)
        lost = name.endswith("the request is late")
        fault = who is None or "; " in name or re.search(r": [A-Z]", name)
        colour = "red" if fault else "purple" if who == "coordinator" else "blue"
        drawn = [f'<text class="sub" x="{x}" y="16" text-anchor="middle">{number}</text>']
        if start is None:
            start = end - LANE / 2
            verb = "late" if "arrives" in name else "dies"
        if verb:
            drawn.append(_text(x, start - 9, verb, "red" if fault else "text"))
        drawn.append(f'<circle cx="{x}" cy="{start}" r="4.5" style="fill:var(--eo-{colour})"/>')
        if end is not None and end != start:
            down = 1 if end > start else -1
            stop = start + down * 20 if lost else end - down * 10
            dashed = ";stroke-dasharray:3 3" if lost else ""
            drawn.append(
                f'<line x1="{x}" y1="{start}" x2="{x}" y2="{stop}" '
                f'style="stroke:var(--eo-{colour});stroke-width:1.5{dashed}"/>'
            )
            drawn.append(_cross(x, stop) if lost else _tip(x, stop, down, colour))
        drawn += [
            _box(x, self.lanes[one], *_became(before.contents[place], after.contents[place]))
            for place, one in enumerate(PARTITIONS)
            if before.contents[place] != after.contents[place]
        ]
        if state_of(before.kept) != state_of(after.kept):
            drawn.append(self._state(x, state_of(after.kept)))
        return f"<g><title>{number}. {escape(name)}</title>{''.join(drawn)}</g>"

    def _state(self, x, word):
        """Write the coordinator's new state below its lane, or above where the last state leaves no room."""
        y, half = self.lanes["coordinator"], CHARACTER * len(word) / 2
        below = x - half > self.labelled + 4
        self.labelled = x + half if below else self.labelled
        dot = f'<circle cx="{x}" cy="{y}" r="4.5" style="fill:var(--eo-purple)"/>'
        return dot + _text(x, y + 18 if below else y - 9, word, "purple")

    def _becomes(self, name, place):
        """Draw the possible ends of a transaction, after each event."""
        y = self.floor + 26 + (BAR + 18) * place
        title = f'<text class="lane" x="2" y="{y + 21}">transaction {name}</text>'
        if self.hidden:
            return (
                f'{title}<rect x="{LEFT - 12}" y="{y}" width="{self.end - LEFT + 12}" height="{BAR}" rx="3" '
                'style="fill:none;stroke:var(--eo-edge);stroke-dasharray:4 4"/>'
                + _text((LEFT + self.end) / 2, y + 21, "at which event is it committed?", "dim")
            )
        drawn, known, first = [title], [fates(state, name) for _, state in self.run], 0
        for number in range(1, len(known) + 1):
            if number < len(known) and known[number] == known[first]:
                continue
            drawn.append(self._band(first, number, y, *BANDS[known[first]]))
            first = number
        moment = None if self.broken else moment_of_commit(self.run, name)
        if moment is not None:
            drawn.append(self._moment(self.x(moment), y, f"event {moment}: the moment of the commit"))
        return "".join(drawn)

    def _band(self, first, after, y, colour, words):
        """Draw one state from one event to another one; the words as far as there is room for them."""
        x1 = LEFT - 12 if first == 0 else self.x(first)
        x2 = self.end if after == len(self.run) else self.x(after)
        words = next((one for one in (words, words.split(",")[0]) if CHARACTER * len(one) + 30 < x2 - x1), "")
        return (
            f'<rect x="{x1}" y="{y}" width="{x2 - x1}" height="{BAR}" style="fill:var(--eo-{colour});opacity:.2"/>'
        ) + _text((x1 + x2) / 2, y + 21, words, "text")

    def _moment(self, x, y, words):
        half = 3.7 * len(words)
        at = min(x, self.end - half)
        return (
            f'<line x1="{x}" y1="24" x2="{x}" y2="{y + 4}" '
            'style="stroke:var(--eo-green);stroke-width:1.4;stroke-dasharray:5 3"/>'
            f'<path d="M{x} {y + 7}l9 9l-9 9l-9 -9z" style="fill:var(--eo-green)"/>'
            f'<text x="{at}" y="{y + BAR + 13}" text-anchor="middle" style="fill:var(--eo-green);font-weight:700">'
            f"{words}</text>"
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
        title = f'<text class="lane" x="2" y="{y + 21}">{escape(store or "nothing")}</text>'
        frame = (
            f'<rect x="{LEFT - 12}" y="{y}" width="{self.end - LEFT + 12}" height="{BAR}" rx="3" '
            'style="fill:none;stroke:var(--eo-edge);stroke-dasharray:4 4"/>'
        )
        if self.hidden:
            return title + frame + _text((LEFT + self.end) / 2, y + 21, "when is this store possible?", "dim")
        drawn, first = [title, frame], 0
        kinds = [
            (store in among) * min(2, len(among)) for among in self.possible
        ]  # not possible, the only one, one of several
        for number in range(1, len(kinds) + 1):
            if number < len(kinds) and kinds[number] == kinds[first]:
                continue
            if kinds[first]:
                colour, words = ("green", "the only one") if kinds[first] == 1 else ("amber", "possible")
                drawn.append(self._band(first, number, y, colour, words))
            if kinds[first] and number < len(kinds) and not kinds[number]:
                event = escape(self.run[number][0])
                x, words = self.x(number), "" if self.possible[number] else "none is left"
                drawn.append(f"<g><title>no longer, after {number}. {event}</title>{_cross(x, y + 16)}</g>")
                drawn.append(_text(min(x, self.end - 40), y + BAR + 13, words, "red"))
            first = number
        return "".join(drawn)

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


def _box(x, y, words, colour):
    wide = max(18, 7 * len(words) + 8)
    return (
        f'<rect x="{x - wide / 2}" y="{y - 9}" width="{wide}" height="18" rx="3" '
        f'style="fill:var(--eo-bg);stroke:var(--eo-{colour});stroke-width:1.7"/>'
        f'<text x="{x}" y="{y + 4}" text-anchor="middle" style="fill:var(--eo-{colour});font-weight:700">'
        f"{escape(words)}</text>"
    )


def _text(x, y, words, colour):
    return (
        f'<text class="halo" x="{x}" y="{y}" text-anchor="middle" style="fill:var(--eo-{colour})">'
        f"{escape(words)}</text>"
    )


def _tip(x, y, down, colour):
    return (
        f'<polygon points="{x},{y} {x - 4},{y - down * 7} {x + 4},{y - down * 7}" style="fill:var(--eo-{colour})"/>'
    )


def _cross(x, y):
    return f'<path class="cross" style="stroke-width:2.5" d="M{x - 4} {y - 4}l8 8m0 -8l-8 8"/>'
