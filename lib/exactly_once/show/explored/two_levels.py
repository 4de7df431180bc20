"""The transaction protocol at two levels: above, the requests of the protocol; below, the possible ends of each
transaction, or the possible stores.
"""

import itertools
import re
from html import escape
from typing import Any

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
from ..base.picture import Picture, cells_table, says, scrolling, word_html

SERVERS = {"coordinator": "coordinator", OUTPUTS[0]: OUTPUTS[0], OUTPUTS[1]: OUTPUTS[1], OFFSETS: "the offsets"}
BANDS = {
    frozenset({COMMITTED, ABORTED}): ("loses", "can still go either way"),
    frozenset({COMMITTED}): ("harmless", "is committed, whatever comes"),
    frozenset({ABORTED}): ("never", "will never be committed"),
}
VERBS = {
    "initialises": "init", "loads": "load", "adds": "add", "writes": "write", "asks for": "epoch",
    "asks to commit": "commit", "asks to abort": "abort",
}  # fmt: skip


def two_levels(run: Counterexample | list[tuple[str, State]], stores: bool = False) -> Picture:
    """Return the picture of a run of the transaction protocol, with the abstract store as a lower level.

    `run` is a `Counterexample` of `prove`, or a result of `a_run`; its events are numbered from 1. The lower level
    shows after each event the possible ends of each transaction, and marks the moment of its commit: the event after
    which nothing can undo it.
    With `stores` the lower level shows the abstract stores that are possible after each event, named by their
    committed transactions: the stores that could have shown all the observed values. Raises `BadInput` for anything
    else.
    """
    run = story(run) if isinstance(run, Counterexample) else run
    if not (isinstance(run, list) and len(run) > 1 and all(isinstance(state, State) for _, state in run)):
        raise BadInput("Give a counterexample of the transaction protocol, or a run as `a_run` returns it.")
    complaint, verdict = wrong(run[-1][1]), ""
    if complaint:
        observed = f"{escape(complaint[0].upper() + complaint[1:])}."
        verdict = says("bad", "✗ Not what a transactional store does.", observed)
    below, told = _possible_stores(run) if stores else _fates(run)
    lower = "possible stores, by what they have committed" if stores else "abstract store"
    rows = [*_events(run), [f'<span class="eo-dim">{lower}</span>'], *below]
    drawn = cells_table(["event", *map(str, range(1, len(run)))], rows, "eo-grid eo-many eo-levels")
    table = pd.DataFrame(
        [
            {"event": number, "what happens": name, "coordinator": state_of(state.kept)}
            | {f"{one} shows": ", ".join(seen) or "–" for one, seen in zip(OUTPUTS, shown(state)[0], strict=True)}
            | {"position": shown(state)[1]}
            | told[number]
            for number, (name, state) in enumerate(run[1:], 1)
        ]
    )
    moments = [] if stores or complaint else [moment_of_commit(run, name) for name in transactions_in(run)]
    said = [f'<p class="eo-good">◆ event {one}: the moment of the commit</p>' for one in moments if one is not None]
    html = f"{verdict}{scrolling(drawn, 'Run of the protocol')}{''.join(said)}"
    return Picture(html, table, unfold="The events as a table")


def _events(run: list[tuple[Any, ...]]) -> list[list[str]]:
    """Return the rows of the upper level: in each column the actor's word, and what it leaves where it asked."""
    lanes = [name for name in ("incarnation 1", "incarnation 2") if any(name in event for event, _ in run)]
    lanes += SERVERS
    rows = {name: [SERVERS.get(name, name)] for name in lanes}
    for number, (name, after) in enumerate(run[1:], 1):
        before = run[number - 1][1]
        who, verb, server = _parsed(name)
        lost, fault = name.endswith("the request is late"), who is None or "; " in name or re.search(r": [A-Z]", name)
        colour = "red" if fault else "purple" if who == "coordinator" else "blue"
        cells = dict.fromkeys(lanes, "")
        if server is not None and server != who:
            first, last = sorted((lanes.index(who or server), lanes.index(server)))
            cells |= dict.fromkeys(lanes[first + 1 : last], "" if lost else _coloured("│", colour))
            cells[server] = _coloured("✖ late" if lost else "▼", "red" if lost else colour)
        if who is not None:
            cells[who] = _coloured(verb or "●", colour)
        for place, one in enumerate(PARTITIONS):
            if before.contents[place] != after.contents[place]:
                cells[one] = word_html("", *_became(before.contents[place], after.contents[place]))
        if who is None and server is not None:
            cells[server] = _coloured("late" if "arrives" in name else "dies", "red") + cells[server].replace(
                _coloured("▼", colour), ""
            )
        if state_of(before.kept) != state_of(after.kept):
            cells["coordinator"] += f"<br>{_coloured(state_of(after.kept), 'purple')}"
        for lane, cell in cells.items():
            rows[lane].append(f'<span title="{number}. {escape(name)}">{cell}</span>' if cell else "")
    return list(rows.values())


def _coloured(said: Any, colour: str) -> str:
    parted = re.sub("(?<=[a-z])(?=[A-Z])", "<wbr>", escape(said))  # such as "PrepareCommit"
    return f'<span style="color:var(--eo-{colour})">{parted}</span>'


def _fates(run: list[tuple[Any, ...]]) -> tuple[list[list[Any]], list[dict[Any, Any]]]:
    """Return the lower level: (the row of each transaction, {transaction: its possible ends} after each event)."""
    below, told = [], [{} for _ in run]
    for name in transactions_in(run):
        ends = [BANDS[fates(state, name)] for _, state in run]
        for row, (_, said) in zip(told, ends, strict=True):
            row[name] = said
        stretches = [(band, len(list(same))) for band, same in itertools.groupby(ends[1:])]
        below.append(
            [f"transaction {name}", *((word_html("", said, kind), many) for (kind, said), many in stretches)]
        )
    return below, told


def _possible_stores(run):
    """Return the lower level: (the row of each store that is ever possible, {column: the possible stores})."""
    possible = [{", ".join(name for name, _ in store.committed) for store, _ in state.possible} for _, state in run]
    told = [{"possible stores": " or ".join(one or "nothing" for one in sorted(some)) or "none"} for some in possible]
    below = []
    for store in sorted(set().union(*possible)):
        row, at = [store or "nothing"], 1
        # not possible, the only one, one of several
        for kind, same in itertools.groupby((store in among) * min(2, len(among)) for among in possible[1:]):
            many, cell = len(list(same)), ""
            if kind:
                cell = word_html("", *[("the only one", "harmless"), ("possible", "loses")][kind - 1])
            elif at > 1 and store in possible[at - 1]:
                hint = f"no longer, after {at}. {run[at][0]}"
                cell = word_html("✖", "" if possible[at] else "none is left", "gone", hint)
            row.append((cell, many))
            at += many
        below.append(row)
    return below, told


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


def _became(before: tuple[Any, ...], after: tuple[Any, ...]) -> tuple[str, str]:
    """Return (words, kind) for the newest entry of a partition."""
    what, *arguments = next((one for one in after if one not in before), after[-1])
    if what == "append":
        return str(arguments[-1]), "holds"
    if what == "position":
        return f"pos {arguments[0]}", "holds"
    if what == "marker":
        return ("C", "harmless") if arguments[1] == "commit" else ("A", "doubles")
    return "✖", "doubles"
