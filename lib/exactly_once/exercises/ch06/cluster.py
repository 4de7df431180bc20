"""A hostile cluster with transactions, for the incarnations of a learner's program (for 06f).

The brokers are the course's own log, in memory: its coordinator with KIP-890's protocol, its leaders, its groups'
offsets. A fault strikes at one request. A program that dies, or stops, is begun again, until it has done its work.
"""

import inspect
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...errors import OutcomeUnknown, is_whole
from ...explore.plain import Broken
from ...log import open_log
from ...log.broker.groups import OFFSETS
from ...log.errors import InvalidProducerEpoch, InvalidTxnState, LogError, ProducerFenced
from ..kinds.run_answer import own_lines, words_of

NAME, INPUT = "job", "records"
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
    """An event of a run, for display: its incarnation (0: the network), a description, and the result."""

    life: int
    words: str
    answer: str = ""

    def __str__(self):
        said = f"{self.words}: {self.answer}" if self.answer else self.words
        return f"incarnation {self.life}: {said}" if self.life else said


class Fault(NamedTuple):
    """One fault: its kind, and the number of its request, counted over all incarnations."""

    at: int
    what: str


class Died(BaseException):
    """The process died. No error of a program's, so that none of its handlers catches it."""


@dataclass
class Cluster:
    """The brokers, and the program's incarnations. `events` is the record of the run."""

    program: Any
    records: tuple
    faults: tuple = ()
    now: int = 0
    requests: int = 0
    lives: int = 0
    held_until: int = 0
    newest: int = 0
    readers: dict = field(default_factory=dict)
    late: list = field(default_factory=list)
    verbs: list = field(default_factory=list)
    events: list = field(default_factory=list)

    def __post_init__(self):
        self.log = open_log(clock=lambda: self.now)
        for name in (INPUT, *OUTPUTS):
            self.log.create_topic(name)
        self.log.internal_topic(OFFSETS)
        self.coordinator, self.sequences = self.log.coordinator(protocol=2), Counter()
        self.watched_from = max((fault.at for fault in self.faults), default=0)  # one fault fewer has shown the rest
        self.wanted = {name: [make(record) for record in self.records] for name, make in OUTPUTS.items()}

    def run(self):
        """Run the program, incarnation after incarnation, until its work is done. Raises `Broken` for a mistake."""
        while True:
            if self.life():
                break
            if self.lives >= MOST_LIVES:
                raise Broken(f"After {MOST_LIVES} incarnations the work is not done.")
        self.settle()
        self.judge(ended=True)

    def settle(self):
        """Carry out each request that is still on its way."""
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
            raise Broken(f"Incarnation {client.life} fails with {words_of(why)}.", own_lines(why)) from None
        return self._stopped(client, "returns", None)

    def _stopped(self, client, words, why):
        self.events.append(Event(client.life, words))
        if why is None and self._committed() == len(self.records):
            return True
        if client.fenced and self.faults:
            return False
        if client.fenced:
            raise Broken(
                f"Incarnation {client.life} {words}, and nothing had happened to it: its requests were refused."
            )
        position = self._committed()
        raise Broken(
            f"Incarnation {client.life} {words} although nobody has fenced it, and {len(self.records) - position} of "
            f"{len(self.records)} records are not done. Nothing but a refusal of its epoch is a reason to stop.",
            own_lines(why) if why else "",
        )

    def _committed(self):
        return (self.shown(OFFSETS) or [0])[-1]

    def shown(self, topic):
        """Return what a reader with read_committed has seen of a topic; it reads on from where it was."""
        seen, position = self.readers.get(topic, ([], 0))
        end = self.log.last_stable(topic, 0)
        if position < end:
            found = self.log.fetch(topic, 0, position, isolation="read_committed")
            seen = [*seen, *(record.value for record in found)]
            self.readers[topic] = seen, end
        return seen

    def write_markers(self):
        """Write the markers of decided transactions, unless they are held back."""
        if self.requests >= self.held_until:
            self.log.write_due_markers()

    def judge(self, ended=False):
        """Raise `Broken` unless readers see the first results, each once, and as many as the position says."""
        seen, position = {name: self.shown(name) for name in OUTPUTS}, self._committed()
        for name, shown in seen.items():
            if shown != self.wanted[name][: len(shown)]:
                raise Broken(_seen(name, shown, self.wanted[name]))
        for name, shown in seen.items() if not self.coordinator.due() else ():
            if len(shown) != position:
                raise Broken(
                    f"Readers of {name!r} see {len(shown)} results ({_listed(shown)}), and the committed position is "
                    f"{position}: the two did not change together."
                )
        if ended and position != len(self.records):
            raise Broken(f"The position is {position} in the end, and there are {len(self.records)} records.")

    # requests that arrive

    def asked(self, client, verb, arguments):
        """Carry out one request of an incarnation. Returns the answer, or raises the client's error."""
        if client.dead:
            raise Died
        self.requests += 1
        number = self.requests
        self.verbs.append(verb)
        client.requests += 1
        if client.requests > MOST_REQUESTS:
            raise Broken(
                f"Incarnation {client.life} has made {MOST_REQUESTS} requests for {len(self.records)} records."
            )
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
        if self.requests >= self.watched_from:
            self.judge()
        return answer

    def _init(self, client):
        if client.fenced and self.newest > client.life:
            raise Broken(
                f"Incarnation {client.life} was refused for its epoch: incarnation {self.newest} has begun since. It "
                "calls init again, and fences its successor. Two programs that do so stop each other for ever."
            )
        try:
            answer = self.coordinator.init_producer(NAME, TIMEOUT_MS)
        finally:
            self.write_markers()
        self.newest = max(self.newest, client.life)
        return answer

    def _position(self, client):
        return self.log.committed_offset(NAME, INPUT, 0, require_stable=True) or 0

    def _send(self, client, producer, epoch, output, value):
        whom = producer, epoch, self.sequences[output, producer, epoch]  # a retried record is another record
        self.log.append(output, 0, [value], "all", *whom, transactional=True)
        self.sequences[output, producer, epoch] += 1

    def _offsets(self, client, producer, epoch, position):
        self.log.commit(NAME, {(INPUT, 0): position}, producer, epoch)

    def _end(self, client, producer, epoch, result):
        return self.coordinator.end(NAME, producer, epoch, result)

    def _save(self, client, position):
        self.log.commit(NAME, {(INPUT, 0): position})


class Client:
    """The cluster, as one incarnation of the program sees it."""

    def __init__(self, cluster, life):
        self._cluster, self.life = cluster, life
        self.dead = self.fenced = False
        self.requests = 0

    def init(self):
        """Begin, and fence every earlier incarnation. Returns (producer, epoch)."""
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
    if not is_whole(value) or value < 0:
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
    """A program's run under faults: the mistake as a sentence, or ""; its requests by name; the rest for display."""

    sentence: str
    events: tuple
    verbs: tuple
    seen: dict
    faults: tuple = ()
    traceback: str = ""


def played(program, records, faults=()):
    """Run a program under these faults, and return the run as `Played`."""
    cluster, said, traceback = Cluster(program, tuple(records), tuple(faults)), "", ""
    try:
        cluster.run()
    except Broken as why:
        said, traceback = str(why), why.traceback
    seen = {name: list(cluster.shown(name)) for name in (*OUTPUTS, OFFSETS)}
    return Played(said, tuple(cluster.events), tuple(cluster.verbs), seen, tuple(faults), traceback)


def calm(program, records):
    """Return a calm run of a program, as `Played`; the program must keep nothing outside of its incarnations."""
    before = outside(program)
    found = played(program, records)
    if not found.sentence and outside(program) != before:
        return found._replace(
            sentence="Your program changes something outside of itself, such as a global variable. Another "
            "process knows nothing of that: what has to last is in the cluster."
        )
    return found


def outside(program):
    """Return a text of the plain values outside a function's body: its globals, closure and defaults."""
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
