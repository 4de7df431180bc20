"""A hostile cluster with transactions, for a program of the learner's that runs in it life by life (for 06f).

What decides is the course's own: the coordinator with KIP-890's protocol, and the leader's rules for a producer's
batches. A fault strikes at one request. A program that dies, or stops, is begun again, until it has done its work.
"""

import contextlib
import inspect
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ....errors import OutcomeUnknown
from ....log.broker.producer_state import Producers
from ....log.client.requests import draft
from ....log.errors import (
    InvalidProducerEpoch,
    InvalidTxnState,
    LogError,
    ProducerFenced,
    UnstableOffsetCommit,
)
from ....log.storage.records import MARKERS, NOBODY, PLAIN, TRANSACTIONAL
from ....log.transactions.coordinator import Coordinator
from ..chapter_05.search import Broken
from ..run_answer import own_lines, words_of

NAME, OFFSETS = "job", "__consumer_offsets-0"
OUTPUTS = {"upper": str.upper, "length": len}
TIMEOUT_MS = 60_000
MOST_REQUESTS, MOST_LIVES = 100, 8
HELD = 3  # requests that markers are held back for
BACKOFF_MS = 5_000  # that pass before what was answered with "ask again" is asked again
PLAIN_TYPES = (int, str, list, dict, set, tuple)
FENCING = (ProducerFenced, InvalidProducerEpoch, InvalidTxnState)
FAULTS = {  # in words, in the order in which they are tried
    "dies before": "the process dies before it is sent",
    "dies after": "it is carried out, and the process dies before it hears",
    "request lost": "it is lost on its way",
    "reply lost": "it is carried out, and the answer is lost",
    "late 1": "it is delayed, and carried out in front of the next one",
    "late 3": "it is delayed, and carried out in front of the third one from here",
    "time-out": "a minute passes first, and the coordinator aborts what is open",
    "markers held": "from here on markers are written three requests late",
    "pause": "the process is paused first, and taken to be dead; meanwhile another one runs",
}


OF_NO_USE = {  # faults that do at these requests what another one does, too
    "position": ("dies after", "reply lost", "late 1", "late 3", "markers held"),
    **dict.fromkeys(("send", "offsets", "save"), ("markers held",)),
}


class Event(NamedTuple):
    """One thing that happened, for those who look: in which life (0: on the network), what, and what came of it."""

    life: int
    words: str
    answer: str = ""

    def __str__(self):
        said = f"{self.words}: {self.answer}" if self.answer else self.words
        return f"life {self.life}: {said}" if self.life else said


class Fault(NamedTuple):
    """One fault: what, and at which request, counted over all lives."""

    at: int
    what: str


class Died(BaseException):
    """The process died. No error of a program's, so that none of its handlers catches it."""


class Leader:
    """The leader of one partition: its entries, what it knows of the producers, and what it shows.

    `stable` is the last stable offset, `visible` what read_committed shows.
    """

    def __init__(self):
        self.entries, self.producers = [], Producers()
        self.stable, self.visible = 0, []

    def append(self, value, producer=NOBODY, epoch=NOBODY):
        """Write one record. Raises `InvalidProducerEpoch` for a zombie's."""
        entry = self.producers.entries.get(producer)
        follows = entry is not None and entry.epoch == epoch and entry.window
        number = entry.window[-1][1] + 1 if follows else 0
        kind = PLAIN if producer == NOBODY else TRANSACTIONAL
        self._write(draft(kind, 1, 0, (producer, epoch, NOBODY if producer == NOBODY else number)), value, 1)

    def marker(self, due):
        """Write a marker."""
        batch = draft(due.result, 1, 0, (due.producer, due.epoch, NOBODY), coordinator=due.coordinator)
        with contextlib.suppress(InvalidProducerEpoch):
            self._write(batch, None, due.rules)

    def _write(self, batch, value, rules):
        if batch.producer != NOBODY:
            self.producers.check(batch, 0, rules)
        batch = batch._replace(base=len(self.entries))
        self.producers.note(batch)
        self.entries.append((batch, value))
        unstable = self.producers.first_unstable(len(self.entries))
        self.stable = len(self.entries) if unstable is None else unstable
        self.visible = [
            value
            for batch, value in self.entries[: self.stable]
            if batch.kind not in MARKERS and not self.producers.is_aborted(batch)
        ]


class Kept(dict):
    """What the coordinator keeps."""

    made = 6

    def new_producer_id(self):
        """Return the next producer id."""
        self.made += 1
        return self.made


@dataclass
class Cluster:
    """The brokers, and the program's lives. `events` tell what happened."""

    program: Any
    records: tuple
    faults: tuple = ()
    now: int = 0
    requests: int = 0
    lives: int = 0
    held_until: int = 0
    newest: int = 0
    late: list = field(default_factory=list)
    verbs: list = field(default_factory=list)
    events: list = field(default_factory=list)

    def __post_init__(self):
        self.coordinator = Coordinator(Kept(), lambda: self.now, 2)
        self.leaders = {name: Leader() for name in (*OUTPUTS, OFFSETS)}
        self.wanted = {name: [make(record) for record in self.records] for name, make in OUTPUTS.items()}

    def run(self):
        """Let the program run, life by life, until it has done its work. Raises `Broken` if it does it wrong."""
        while True:
            if self.life():
                break
            if self.lives >= MOST_LIVES:
                raise Broken(f"After {MOST_LIVES} lives the work is not done.")
        self.settle()
        self.judge(ended=True)

    def settle(self):
        """Carry out whatever is still on its way."""
        self.requests += HELD
        self._arrived_late()
        self.held_until = 0
        self.write_markers()

    def life(self):
        """Run the program once. Returns whether it came to its end by itself, and nobody had fenced it."""
        self.lives += 1
        client = Client(self, self.lives)
        try:
            self.program(client)
        except Died:
            client.dead = True
            self.events.append(Event(client.life, "✖ dead"))
            return False
        except Broken:
            raise
        except (LogError, OutcomeUnknown) as why:
            return self._stopped(client, f"stops with {type(why).__name__}", why)
        except Exception as why:  # noqa: BLE001 - whatever a learner's code raises is told, with the schedule
            raise Broken(f"Life {client.life} fails with {words_of(why)}.", own_lines(why)) from None
        return self._stopped(client, "returns", None)

    def _stopped(self, client, words, why):
        self.events.append(Event(client.life, words))
        if why is None and self._committed() == len(self.records):
            return True
        if client.fenced and self.faults:
            return False
        if client.fenced:
            raise Broken(f"Life {client.life} {words}, and nothing had happened to it: its requests were refused.")
        position = self._committed()
        raise Broken(
            f"Life {client.life} {words} although nobody has fenced it, and {len(self.records) - position} of "
            f"{len(self.records)} records are not done. Nothing but a refusal of its epoch is a reason to stop.",
            own_lines(why) if why else "",
        )

    def _committed(self):
        return (self.leaders[OFFSETS].visible or [0])[-1]

    def write_markers(self):
        """Write the markers of what is decided, unless they are held back."""
        if self.requests < self.held_until:
            return
        for due in self.coordinator.due():
            for partition in due.partitions:
                self.leaders[partition].marker(due)
            self.coordinator.complete(due.transactional_id, due.producer, due.epoch)

    def judge(self, ended=False):
        """Raise `Broken` unless readers see the first results, each once, and as many as the position says."""
        for name, wanted in self.wanted.items():
            shown = self.leaders[name].visible
            if shown != wanted[: len(shown)]:
                raise Broken(_seen(name, shown, wanted))
        position = self._committed()
        for name in OUTPUTS if not self.coordinator.due() else ():
            shown = self.leaders[name].visible
            if len(shown) != position:
                raise Broken(
                    f"Readers of {name!r} see {len(shown)} results ({_listed(shown)}), and the committed position is "
                    f"{position}: the two did not change together."
                )
        if ended and self._committed() != len(self.records):
            raise Broken(
                f"The position is {self._committed()} in the end, and there are {len(self.records)} records."
            )

    # what arrives

    def asked(self, client, verb, arguments):
        """Let one request of a life go its way. Returns the answer. Raises what the client hears."""
        if client.dead:
            raise Died
        self.requests += 1
        number = self.requests
        self.verbs.append(verb)
        client.requests += 1
        if client.requests > MOST_REQUESTS:
            raise Broken(f"Life {client.life} has made {MOST_REQUESTS} requests for {len(self.records)} records.")
        self._arrived_late()
        self.write_markers()
        words = f"{verb}({', '.join(map(repr, arguments))})"
        what = next((fault.what for fault in self.faults if fault.at == number), None)
        struck = f"⚡ {FAULTS[what]}" if what else ""
        if what == "pause":
            self.events.append(Event(client.life, words, struck))
            self.life()
            words, struck = f"{words}, awake again", ""
        elif what == "time-out":
            self.now += TIMEOUT_MS + 1
            self._time_out()
        elif what == "markers held":
            self.held_until = number + HELD
        elif what in ("dies before", "request lost"):
            return self._unheard(client, words, struck, what)
        elif what is not None and what.startswith("late"):
            self.late.append((number + int(what[-1]), words, lambda: self._carried_out(client, verb, arguments)))
            return self._unheard(client, words, struck, what)
        try:
            answer = self._carried_out(client, verb, arguments)
        except LogError as why:
            answer = why
        except Broken:
            self.events.append(Event(client.life, words, struck))
            raise
        if what in ("dies after", "reply lost"):
            return self._unheard(client, words, struck, what)
        said = "" if answer is None else type(answer).__name__ if isinstance(answer, LogError) else str(answer)
        self.events.append(Event(client.life, words, " → ".join(filter(None, [struck, said]))))
        if isinstance(answer, LogError):
            client.fenced = client.fenced or isinstance(answer, FENCING)
            self.now += BACKOFF_MS
            self._time_out()
            raise answer
        client.fenced = client.fenced and verb != "init"
        return answer

    def _time_out(self):
        self.coordinator.time_out()
        self.write_markers()

    def _unheard(self, client, words, struck, what):
        self.events.append(Event(client.life, words, struck))
        if what.startswith("dies"):
            client.dead = True
            raise Died
        raise OutcomeUnknown("No answer came: it was carried out, or will be, or never.")

    def _arrived_late(self):
        due = [one for one in self.late if one[0] <= self.requests]
        self.late = [one for one in self.late if one[0] > self.requests]
        for _, words, carry_out in due:
            event, said = len(self.events), "carried out"
            self.events.append(Event(0, f"the delayed {words}"))
            try:
                carry_out()
            except LogError as why:
                said = type(why).__name__
            self.events[event] = Event(0, f"the delayed {words}", said)

    def _carried_out(self, client, verb, arguments):
        answer = getattr(self, f"_{verb}")(client, *arguments)
        self.write_markers()
        self.judge()
        return answer

    def _init(self, client):
        if client.fenced and self.newest > client.life:
            raise Broken(
                f"Life {client.life} was told that its epoch is refused: life {self.newest} has begun since. It "
                "calls init again, and fences its successor. Two programs that do so stop each other for ever."
            )
        try:
            answer = self.coordinator.init_producer(NAME, TIMEOUT_MS)
        finally:
            self.write_markers()
        self.newest = max(self.newest, client.life)
        return answer

    def _position(self, client):
        leader = self.leaders[OFFSETS]
        if leader.stable < len(leader.entries):
            raise UnstableOffsetCommit("A transaction with offsets is not decided: ask again.")
        return self._committed()

    def _send(self, client, producer, epoch, output, value):
        self._written(output, producer, epoch, value)

    def _offsets(self, client, producer, epoch, position):
        self._written(OFFSETS, producer, epoch, position)

    def _written(self, partition, producer, epoch, value):
        try:
            self.coordinator.add_partitions(NAME, producer, epoch, [partition])
        except ProducerFenced as why:
            raise InvalidProducerEpoch(str(why)) from None
        self.leaders[partition].append(value, producer, epoch)

    def _end(self, client, producer, epoch, result):
        return self.coordinator.end(NAME, producer, epoch, result)

    def _save(self, client, position):
        self.leaders[OFFSETS].append(position)


class Client:
    """What one life of the program has of the cluster."""

    def __init__(self, cluster, life):
        self._cluster, self.life = cluster, life
        self.dead = self.fenced = False
        self.requests = 0

    def init(self):
        """Begin, and fence every life before this one. Returns (producer, epoch)."""
        return self._cluster.asked(self, "init", ())

    def position(self):
        """Return the position that was committed last: the number of the next record."""
        return self._cluster.asked(self, "position", ())

    def read(self, position):
        """Return the record at a position, a text, or None behind the last one."""
        _number("The position", position)
        records = self._cluster.records
        return records[position] if position < len(records) else None

    def send(self, producer, epoch, output, value):
        """Append a value to an output, as part of the producer's transaction."""
        if output not in OUTPUTS:
            raise ValueError(f"There is no output {output!r}; there are {', '.join(map(repr, OUTPUTS))}.")
        return self._cluster.asked(self, "send", (*_pair(producer, epoch), output, value))

    def offsets(self, producer, epoch, position):
        """Make a position part of the producer's transaction."""
        return self._cluster.asked(self, "offsets", (*_pair(producer, epoch), _number("The position", position)))

    def end(self, producer, epoch, result):
        """End the transaction: "commit" or "abort". Returns the (producer, epoch) to go on with."""
        if result not in ("commit", "abort"):
            raise ValueError(f"The result is {result!r}; it is 'commit' or 'abort'.")
        return self._cluster.asked(self, "end", (*_pair(producer, epoch), result))

    def save(self, position):
        """Commit a position at once, outside of any transaction."""
        return self._cluster.asked(self, "save", (_number("The position", position),))


def _number(what, value):
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{what} is {value!r}; it is a whole number, 0 or more.")
    return value


def _pair(producer, epoch):
    return _number("The producer", producer), _number("The epoch", epoch)


def _listed(values):
    return ", ".join(map(str, values)) or "nothing"


def _seen(name, shown, wanted):
    for place, value in enumerate(shown):
        if place >= len(wanted) or value != wanted[place]:
            if value in shown[:place]:
                return f"Readers of {name!r} see {value!r} twice: {_listed(shown)}."
            if value in wanted[place:]:
                return f"Readers of {name!r} see {value!r} without {wanted[place]!r} in front of it."
            return f"Readers of {name!r} see {value!r}, and should see {_listed(wanted)}."
    return ""


class Played(NamedTuple):
    """What came of a program with some faults: what is wrong, or ""; its requests, by name; the rest is shown."""

    sentence: str
    events: tuple
    verbs: tuple
    seen: dict
    faults: tuple = ()
    traceback: str = ""


def played(program, records, faults=()):
    """Return what a program does under these faults, as `Played`."""
    cluster, said, traceback = Cluster(program, tuple(records), tuple(faults)), "", ""
    try:
        cluster.run()
    except Broken as why:
        said, traceback = str(why), why.traceback
    seen = {name: list(cluster.leaders[name].visible) for name in (*OUTPUTS, OFFSETS)}
    return Played(said, tuple(cluster.events), tuple(cluster.verbs), seen, tuple(faults), traceback)


def calm(program, records):
    """Return what a program does when nothing goes wrong, as `Played`; it must keep nothing outside of its lives."""
    before = outside(program)
    found = played(program, records)
    if not found.sentence and outside(program) != before:
        return found._replace(
            sentence="A life of your program changes something outside of it, such as a global variable. Another "
            "process knows nothing of that: what has to last is in the cluster."
        )
    return found


def outside(program):
    """Return in words what a function finds outside of itself: globals, what it encloses, its defaults."""
    if not inspect.isfunction(program):
        return ""
    code, names = [program.__code__], set()
    while code:
        one = code.pop()
        names |= set(one.co_names)
        code += [const for const in one.co_consts if hasattr(const, "co_names")]
    held = [(name, program.__globals__[name]) for name in sorted(names & set(program.__globals__))]
    held += [("", cell.cell_contents) for cell in program.__closure__ or ()]
    held += [("", value) for value in (*(program.__defaults__ or ()), *(program.__kwdefaults__ or {}).values())]
    return repr([(name, value) for name, value in held if isinstance(value, PLAIN_TYPES)])


def faults_of(found):
    """Return every list of faults that has one more than a run, at a request behind its last one."""
    first = found.faults[-1].at if found.faults else 0
    return [
        (*found.faults, Fault(at, what))
        for at, verb in enumerate(found.verbs[first:], first + 1)
        for what in FAULTS
        if what not in OF_NO_USE.get(verb, ())
    ]


def hunted(program, worlds):
    """Return (the first `Played` that is wrong, or None; how many runs there were).

    `worlds` holds (records, how many faults strike in one run at the most); with fewer faults all worlds come first.
    """
    runs, befores = 0, {records: [()] for records, _ in worlds}
    for faults in range(max(most for _, most in worlds) + 1):
        for records, most in worlds:
            plans, befores[records] = befores[records], []
            for plan in plans:
                one, runs = played(program, records, plan), runs + 1
                if one.sentence:
                    return one, runs
                if faults < most:
                    befores[records] += faults_of(one)
    return None, runs
