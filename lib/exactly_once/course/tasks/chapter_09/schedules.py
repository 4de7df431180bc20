"""Processes on shared registers, under every schedule with few events, the simplest first (for 09b to 09e).

A step is a read or a compare-and-swap of a register. An event is what a hostile scheduler does before a step: it lets
another process go on, lets one die for good, or loses a request or its reply. Bounding the switches in place of the
steps is the way of M. Musuvathi and S. Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded
Programs", PLDI 2007.
"""

from collections import deque
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

import pandas as pd
from greenlet import GreenletExit, getcurrent, greenlet

from .... import show as drawing
from ....errors import BadInput, OutcomeUnknown
from ..run_answer import own_lines, words_of

MOST_STEPS = 120  # of a short run
SWITCH, DIES, LOST_REQUEST, LOST_REPLY = KINDS = "switch", "dies", "lost request", "lost reply"
UNKNOWN = "no answer: it may have been carried out, or not"
PLAIN = (bool, int, float, str, list, tuple, dict)


class Event(NamedTuple):
    """What the scheduler does before the step of this number, from 0; `process` is the one that goes on."""

    step: int
    kind: str
    process: int = -1


@dataclass(frozen=True)
class Line:
    """One step, or one thing that happened: of which process, in words, and what came of it."""

    process: int
    words: str
    answer: str = ""


class Registers:
    """What `node.registers` is, for one process of a run: each operation is a step."""

    def __init__(self, run, process):
        self.run, self._process = run, process

    def read(self, name):
        """Return (version, value) of a register; (0, None) when nothing was written to it."""
        return self.run.step(self._process, "read", _name(name))

    def cas(self, name, expected_version, value):
        """Write `value` if the version is `expected_version`; return whether it was. Raises `BadInput` for None."""
        if value is None or not isinstance(value, PLAIN):
            raise BadInput(f"The register {name!r} was given {value!r} to hold; give it a number, a text or a list.")
        return self.run.step(self._process, "cas", _name(name), expected_version, value)


def _name(name):
    if not isinstance(name, str):
        raise BadInput(f"The name of a register is {name!r}; it is text, such as 'queue.0'.")
    return name


@dataclass
class Run:
    """One run: `programs` are functions of `Registers`, each a process; `events` what the scheduler does, `most`
    the steps after which somebody goes round in circles.

    In the end `cells` are the registers, as {name: (version, value)}, `returned` what each process returned, `failed`
    what it raised, `stopped` who died, `lines` the story, `writes` all writes in order, `taken` the steps of each
    process, `last` who took the last step; `turns` say before each step who stood at a step, and who went on.
    """

    programs: tuple
    events: tuple = ()
    cells: dict = field(default_factory=dict)
    most: int = MOST_STEPS
    lines: list = field(default_factory=list)
    writes: list = field(default_factory=list)
    turns: list = field(default_factory=list)
    returned: dict = field(default_factory=dict)
    failed: dict = field(default_factory=dict)
    traceback: str = ""
    stopped: set = field(default_factory=set)
    endless: int | None = None

    def __post_init__(self):
        self.cells, self.taken = dict(self.cells), [0] * len(self.programs)
        self.now, self._hub = 0, None

    def step(self, process, verb, name, *arguments):
        """Wait for the scheduler; then read or write."""
        self._hub.switch(process)
        lost = next((one.kind for one in self.events if one.step == self.now - 1 and "lost" in one.kind), "")
        self.taken[process] += 1
        version, value = self.cells.get(name, (0, None))
        words = f"{verb} {name}" + (f", version {arguments[0]}: {arguments[1]!r}" if arguments else "")
        answer = (version, value)
        if verb == "cas" and lost != LOST_REQUEST:
            answer = version == arguments[0]
            if answer:
                self.cells[name] = (version + 1, arguments[1])
                self.writes.append((len(self.lines), process, name, arguments[1]))
        self.lines.append(Line(process, words, f"⚡ {UNKNOWN}" if lost else _told(verb, answer)))
        if lost:
            raise OutcomeUnknown("No answer came: the step may have been carried out, or not.")
        return answer

    def go(self):
        """Let the processes run until each has ended, or died, or one goes on for ever. Returns the run itself."""
        self._hub = getcurrent()
        self._alive = {number: greenlet(self._process) for number in range(len(self.programs))}
        for number in list(self._alive):
            self._resumed(number, number)
        current = 0
        try:
            while self._alive:
                current = self._chosen(current)
                if current is None:
                    break
                self.now += 1
                if self.now > self.most:
                    self.endless = current
                    break
                self._resumed(current)
        finally:
            for one in self._alive.values():
                one.throw()
        return self

    def _chosen(self, current):
        """Return who takes the next step, after the events before it."""
        dying = False
        if current not in self._alive:
            current = min(self._alive)
        self.turns.append((current, tuple(self._alive)))
        for one in self.events:
            if one.step == self.now and one.kind == SWITCH and one.process in self._alive:
                current = one.process
            elif one.step == self.now and one.kind == DIES:
                dying = True
        if dying:
            self.lines.append(Line(current, "✖ stands still for good"))
            self.stopped.add(current)
            self._alive.pop(current).throw()
            current = min(self._alive) if self._alive else None
        return current

    def _resumed(self, number, *argument):
        self._alive[number].switch(*argument)
        if self._alive[number].dead:
            del self._alive[number]

    def _process(self, number):
        try:
            self.returned[number] = self.programs[number](Registers(self, number))
            said = self.returned[number]
            self.lines.append(Line(number, "ends", "" if said is None else repr(said)))
        except GreenletExit:
            raise
        except OutcomeUnknown as why:
            self.failed[number] = why
            self.lines.append(Line(number, "gives up", "it does not know what came of it"))
        except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is told, with the schedule
            self.failed[number], self.traceback = why, own_lines(why)
            self.lines.append(Line(number, "fails", words_of(why)))

    def note(self, process, words, answer=""):
        """Add a line to the story that is no step. Returns its number."""
        self.lines.append(Line(process, words, answer))
        return len(self.lines) - 1


def _told(verb, answer):
    if verb == "cas":
        return "written" if answer else "refused: another version"
    return f"version {answer[0]}: {answer[1]!r}" if answer[0] else "version 0: nothing yet"


class Found(NamedTuple):
    """What a search came to: `sentence` is "" when nothing is wrong, else `lines` tell the run, and `names` whose
    steps they are; `cells` are the registers in the end; `runs` were tried.
    """

    sentence: str
    runs: int
    names: tuple = ()
    lines: tuple = ()
    cells: dict | None = None
    traceback: str = ""


def searched(world, judge, switches=2, **others):
    """Return what comes of every schedule of a world within bounds, the fewest events first, as `Found`.

    `world()` returns (names of the processes, their programs, the registers at the beginning); `judge(run)` a
    sentence on what is wrong, or None. At most `switches` times another process goes on although the one that is at
    it could; `others` bound the other events by their names in `KINDS`, with _ for a space.
    """
    bounds = {kind: {"switch": switches, **others}.get(kind.replace(" ", "_"), 0) for kind in KINDS}
    queue, runs = deque([()]), 0
    while queue:
        events = queue.popleft()
        names, programs, cells = world()
        run = Run(tuple(programs), events, cells).go()
        runs += 1
        if sentence := problem(run, names) or judge(run):
            return Found(sentence, runs, tuple(names), tuple(run.lines), run.cells, run.traceback)
        queue.extend(_grown(events, run, bounds))
    return Found("", runs)


def problem(run, names):
    """Return a sentence on a process that raises or goes on for ever, or None."""
    for process, why in run.failed.items():
        if not isinstance(why, OutcomeUnknown):
            return _sentence(f"{names[process]} fails with {words_of(why)}.")
    if run.endless is not None:
        others = [
            names[one] for one in range(len(names)) if run.taken[one] and one not in {run.endless, *run.returned}
        ]
        still = f", while {' and '.join(others)} stands still" if others else ""
        return f"After {run.most} steps {names[run.endless]} has not come to an end{still}."
    return None


def _sentence(words):
    return words[:1].upper() + words[1:]


def _grown(events, run, bounds):
    """Yield the schedules with one event more, behind those that there are."""
    used = {kind: sum(one.kind == kind for one in events) for kind in bounds}
    first = max((one.step for one in events), default=0)
    for step in range(first, len(run.turns)):
        current, alive = run.turns[step]
        taken = [KINDS.index(one.kind) for one in events if one.step == step]
        for kind, most in bounds.items():
            if used[kind] >= most or KINDS.index(kind) <= max(taken, default=-1):
                continue
            if kind != SWITCH:
                yield (*events, Event(step, kind))
            else:
                yield from ((*events, Event(step, SWITCH, other)) for other in alive if other != current)


def drawn(found, title="The simplest run against it"):
    """Return the picture of a run: a column for each process, and the registers in the end."""
    rows = [
        {
            **{name: line.words if number == line.process else "" for number, name in enumerate(found.names)},
            "what came of it": line.answer,
        }
        for line in found.lines
    ]
    table = pd.DataFrame(rows)
    held = [
        {"register": name, "version": version, "holds": "" if value is None else repr(value)}
        for name, (version, value) in sorted(found.cells.items(), key=_by_index)
    ]
    cells = pd.DataFrame(held, columns=["register", "version", "holds"])
    return drawing.Picture(
        f'<p class="eo-h">{escape(title)}</p><div class="eo-scroll" tabindex="0" role="region" '
        f'aria-label="{escape(title)}">{drawing.table_html(table)}</div>'
        f'<p class="eo-h">The registers in the end</p>{drawing.table_html(cells)}',
        text="\n".join(
            [
                title,
                *(f"{found.names[line.process]}: {line.words}: {line.answer}".rstrip(": ") for line in found.lines),
                cells.to_string(index=False),
            ]
        ),
    )


def _by_index(held):
    name, _, index = held[0].rpartition(".")
    return (name, 0, int(index)) if index.isdecimal() else (held[0], 1, 0)
