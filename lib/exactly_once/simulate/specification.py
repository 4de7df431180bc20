"""What is right: the outcomes of crash-free runs of one node, or an invariant; asked of contents, once for each."""

from dataclasses import dataclass, field

from ..errors import BadInput
from ..node.registers import register_in
from ..stores.codec import decode
from ..verdict.ideal import IdealFailed, endless, step_limit
from ..verdict.outcome import multiset


@dataclass(frozen=True)
class View:
    """What an observer of all stores sees at one moment; what an invariant is asked about.

    `outputs`, `counter`, `state`, `positions` are the contents (None: nothing yet), `registers` the values by name;
    `done` is True when every node has ended.
    """

    outputs: list = field(default_factory=list)
    counter: int = 0
    state: object = None
    positions: object = None
    registers: dict = field(default_factory=dict)
    done: bool = False

    @classmethod
    def of(cls, contents, world, done=False):
        """Return the view of a world of `Contents`."""
        held = {part: content for (_, part), content in contents.look(world).items()}
        cells = {
            part: decode(content[1]) for part, content in held.items() if isinstance(content, tuple) and _cell(content)
        }
        return cls(
            outputs=[decode(text) for text in held.get("output", ())],
            counter=held.get("counter", 0),
            state=cells.get("state"),
            positions=cells.get("positions"),
            registers={register_in(part): value for part, value in cells.items() if register_in(part)},
            done=done,
        )


def _cell(content):
    return len(content) == 2 and isinstance(content[0], int)


def outcome_of(contents, world):
    """Return the observable outcome of a world: no versions, and no register that is a hint by its name."""
    held = {part: content for (_, part), content in contents.look(world).items()}
    state = held.get("state", (0, "null"))[1]
    registers = {register_in(part): content[1] for part, content in held.items() if register_in(part)}
    return (
        held.get("output", ()),
        held.get("counter", 0),
        multiset(decode(state)),
        held.get("positions", (0, "null"))[1],
        tuple(sorted((name, text) for name, text in registers.items() if "hint" not in name)),
    )


class Ideal:
    """The outcomes that crash-free runs of a single node can have, choices included, and what is visible on the way."""

    def __init__(self, automaton, start, job):
        self.contents, self.outcomes, self.visible = automaton.contents, set(), set()
        self._job, self._known = job, {}
        self.worlds = 0
        self._explore(automaton, start)

    def right(self, world):
        """Tell whether a finished run may leave this world."""
        if world not in self._known:
            self._known[world] = outcome_of(self.contents, world) in self.outcomes
        return self._known[world]

    def explains(self, world):
        """Tell whether each log and each table looks like the beginning of what some right run leaves there."""
        return all(self._visible_part(place, held) for place, held in enumerate(self.contents.worlds[world]))

    def _visible_part(self, place, held):
        return held == -1 or self.contents.parts[place][2] == "cell" or (place, held) in self.visible

    def _explore(self, automaton, start):
        """Go through all runs of a single node. Raises `IdealFailed` when one of them does not get through."""
        limit, seen, read = step_limit(self._job), set(), {}
        waiting = [(0, start, 0)]
        while waiting:
            world, local, steps = waiting.pop()
            if (world, local) in seen:
                continue
            seen.add((world, local))
            if steps > limit:
                raise IdealFailed(endless(limit))
            self.visible.update(enumerate(self.contents.worlds[world]))
            state = automaton.states[local]
            if state.kind == "ended":
                self.outcomes.add(outcome_of(self.contents, world))
            elif state.kind in ("raised", "gave up"):
                raise IdealFailed(f"Without any fault this handler fails, so no run of it is right:\n{state.text}")
            if state.kind == "store":
                self._note_reads(state, read)
            waiting += [(after, next_local, steps + 1) for after, next_local in alone(automaton, world, local)]
        if not self.outcomes:
            raise IdealFailed(
                "Without any fault this handler goes round and round and never ends. Does its loop ask node.running()?"
            )
        self.worlds = len({world for world, _ in seen})
        self.unread = {stream for stream, end in self._job.end().items() if read.get(stream, -1) < end - 1}

    def _note_reads(self, state, read):
        _, _, verb, text = self.contents.operations[state.operation]
        if verb == "fetch":
            for stream, offset in decode(text)[0].items():
                read[stream] = max(read.get(stream, -1), offset)

    @property
    def warnings(self):
        """What makes a proof against these outcomes worth little, in sentences."""
        found = []
        if self.worlds == 1:
            found.append("The handler writes nothing, even when nothing goes wrong; that was easy to keep.")
        if self.unread:
            found.append(f"The handler leaves input of {', '.join(sorted(self.unread))} unread.")
        return found


class Invariant:
    """What the caller says is right, asked at every moment: `rule(view)` is true, or false, or says what is wrong."""

    warnings = ()

    def __init__(self, rule, contents):
        if not callable(rule):
            raise BadInput(f"The invariant is {rule!r}; give a function of one argument, a view of the stores.")
        self.rule, self.contents, self._known = rule, contents, {}

    def right(self, world):
        """Tell whether the rule holds at the end of a run."""
        return self._holds(world, True)

    def explains(self, world):
        """Tell whether the rule holds in the middle of a run."""
        return self._holds(world, False)

    def _holds(self, world, done):
        if (world, done) not in self._known:
            answer = self.rule(View.of(self.contents, world, done))
            self._known[world, done] = True if answer is None else answer if isinstance(answer, str) else bool(answer)
        return self._known[world, done] is True

    def complaint(self, world, done):
        """Return what the rule said about a world."""
        answer = self._known.get((world, done))
        return answer if isinstance(answer, str) else "the invariant does not hold"


def alone(automaton, world, local):
    """Yield (world, local state) for each way in which an actor can go on by itself, without any misfortune."""
    state = automaton.states[local]
    if state.kind == "store":
        after, result = automaton.contents.do(world, state.operation)
        yield after, automaton.next(local, result)
    elif state.kind == "point":
        yield world, automaton.next(local, None)
    elif state.kind == "choose":
        for option in range(state.options):
            yield world, automaton.next(local, option)
