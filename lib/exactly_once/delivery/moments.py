"""A run of producer and consumer as a row of moments, read from its trace and its journals."""

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field

from . import words

SIDES = ("producer", "consumer")
AFTER = ("crash after", "lost reply", "duplicated request")  # what strikes when the store has done its part


@dataclass(frozen=True)
class Moment:
    """The state after one step.

    `who` acted ("producer", "log" or "consumer"), `text` is the sentence, `faulty` is true for a fault. `log` has the
    records' numbers by offset; `reached` is how far the consumer's incarnation has read; `applied` are the numbers
    that took effect, in order; `held` the number under each key; `lost` and `doubled` the numbers so far.
    """

    who: str
    text: str
    faulty: bool
    log: tuple
    reached: int
    applied: tuple
    held: tuple
    lost: tuple
    doubled: tuple


@dataclass
class Life:
    """One incarnation of a side: its `number` there, its read records without effect, and its current one."""

    side: int
    number: int
    alive: bool = True
    asleep: bool = False
    ended: bool = False
    reached: int = 0
    doing: int | None = None
    tried: int | None = None
    pending: list = field(default_factory=list)

    @property
    def name(self):
        """The name of the incarnation's side."""
        return SIDES[self.side]


def in_order(trace, plan):
    """Yield a trace's events one after the other, each after all that it depends on; else by their stamps.

    A fault that strikes after a store's part comes after that part. The actions of a sleeper after its wake-up come
    as late as possible: no message tells their time, so no stamp does.
    """
    lines, done, woken, first = defaultdict(deque), {None}, set(), {}
    for event in trace:
        lines[event.process].append(event)

    def needed(event):
        fault = fault_of(event, plan)
        if fault is not None and fault.kind in AFTER:
            return f"{event.life}.{event.step} done"
        if event.verb == "start" and event.kind == "local" and first[event.detail["node"]] != event.life:
            return f"{event.detail['node']} asleep"
        return event.message.removesuffix("again") if event.kind == "receive" else None

    for start in trace.lives():
        first.setdefault(start.detail["node"], start.life)
    node_of = {start.process: start.detail["node"] for start in trace.lives()}

    while any(lines.values()):
        ready = [line[0] for line in lines.values() if line and needed(line[0]) in done]
        event = min(ready, key=lambda one: (one.process in woken, one.stamp, one.process))
        lines[event.process].popleft()
        done |= {event.message} if event.kind == "send" else set()
        if event.kind == "receive" and event.process != f"incarnation {event.life}":
            done.add(f"{event.life}.{event.step} done")
        if event.verb == "fault" and event.text == "pause":
            woken.add(event.process)
            done.add(f"{node_of[event.process]} asleep")
        elif event.kind == "send":
            woken.discard(event.process)
        yield event


def fault_of(event, plan):
    """Return the fault that an event tells of, or None."""
    key = event.detail.get("key")
    return None if key is None else plan.faults[int(key.partition(".")[0])]


class Watch:
    """Follows a run event by event, and keeps what there is after each that a person would want to see."""

    def __init__(self, records, keys):
        self.records = records
        self.log, self.applied, self.held, self.saved = [], [], dict.fromkeys(keys, 0), [0, 0]
        self.lives, self.late, self.moments = {}, {}, []
        self.newest = [Life(side, 1) for side in range(2)]
        self.counted = Counter()

    def moments_of(self, run):
        """Return the moments of a run."""
        self.plan, self.steps = run.plan, {}
        entries = {(entry.part, entry.received): entry for entry in run.writes}
        self.note("log", f"{self.records} records are to be sent. The log is empty.")
        for event in in_order(run.trace, run.plan):
            if entry := entries.get((event.process, event.stamp)):
                self.took_place(entry, self.lives[event.life])
            elif event.verb == "start":
                self.begins(event)
            elif event.process == f"incarnation {event.life}":
                self.hears_of(event, self.lives[event.life])
        if self.late:
            self.late = {}
            self.note("log", "What was late came to nothing.")
        return tuple(self.moments)

    def begins(self, event):
        """Note a new life. It appears when it has loaded its position; the first ones are there from the start."""
        side = event.detail["node"]
        self.counted[side] += 1
        self.lives[event.life] = Life(side, self.counted[side])
        if self.counted[side] == 1:
            self.newest[side] = self.lives[event.life]

    def took_place(self, entry, life):
        """Follow an operation at a store."""
        late = self.late.pop((entry.life, entry.step), None)
        if entry.verb == "produce":
            self.log += entry.value["values"]
            self.note("log", words.appended(entry.item, entry.value["offset"], late))
        elif entry.part.endswith(".positions"):
            (saved,) = entry.value.values()
            changed, self.saved[life.side] = saved != self.saved[life.side], saved
            if changed:
                self.note(life.name, words.saved(life.name, saved))
        elif entry.verb in ("add", "cas"):
            self.held[entry.part.partition(".")[2]] = entry.value
            self.applied.append(entry.item)
            if entry.item in life.pending:
                life.pending.remove(entry.item)
            self.note(life.name, words.effect(entry.verb, entry.item, late))

    def hears_of(self, event, life):
        """Follow an event on the line of an incarnation."""
        fault = fault_of(event, self.plan)
        if event.verb == "dies":
            self.over(life)
            text = words.gave_up(life.name) if fault is None else words.death(life.name, fault, event.item)
            self.note(life.name, text, faulty=fault is not None)
        elif event.verb == "ends":
            life.ended = True
            self.note(life.name, f"The {life.name} has come to the end.")
        elif event.verb == "wakes":
            life.asleep = False
            self.note(
                life.name,
                f"Incarnation {life.number} of the {life.name} wakes up, and goes on as if nothing had been.",
            )
        elif fault is not None:
            self.struck(fault, event, life)
        elif event.kind == "send":
            self.steps[event.message[:-1]] = event.verb
            if event.verb == "push":
                again, life.tried = life.tried == event.item, event.item
                self.note(life.name, words.sent(event.item, again))
        elif event.kind == "receive":
            self.replied(self.steps[event.message[:-1]], event.item, life)

    def replied(self, step, item, life):
        """Follow an answer that arrives."""
        if step == "push":
            self.note(life.name, words.acknowledged(item))
        elif step == "load":
            life.reached = self.saved[1]
            self.newest[life.side] = life
            if life.number > 1:
                self.note(life.name, words.begins(life.name, life.number, self.saved[life.side]))
        elif step == "read" and life.side == 0:
            life.doing = item
        elif step == "read" and life.reached < len(self.log):
            number = self.log[life.reached]
            life.reached += 1
            life.pending.append(number)
            self.note(life.name, words.read(number, life.reached - 1))

    def struck(self, fault, event, life):
        """Follow a fault that leaves the incarnation as it is."""
        if fault.kind == "late request" and fault.at in words.EFFECTS:
            self.late[event.life, event.step] = event.item
        life.asleep = fault.kind == "pause"
        self.note(life.name, words.struck(life.name, fault, event.item), faulty=True)

    def over(self, life):
        """Drop the memory of an incarnation."""
        self.newest[life.side] = life
        life.alive, life.doing, life.pending, life.reached = False, None, [], self.saved[1]

    def note(self, who, text, faulty=False):
        """Keep this moment."""
        times = Counter(self.applied)
        lost = tuple(n for n in range(1, self.records + 1) if n not in times and self._gone(n))
        doubled = tuple(sorted(n for n, count in times.items() if count > 1))
        log, applied, held = tuple(self.log), tuple(self.applied), tuple(self.held.items())
        self.moments.append(Moment(who, text, faulty, log, self.newest[1].reached, applied, held, lost, doubled))

    def _gone(self, number):
        """Tell whether nobody will come back to a record that has not taken effect."""
        producer, consumer = self.newest
        asleep = [life for life in self.lives.values() if life.asleep]
        if number in self.late.values() or any(number == life.doing or number in life.pending for life in asleep):
            return False
        if producer.ended and consumer.ended:
            return True
        if number in self.log:
            last = len(self.log) - self.log[::-1].index(number) - 1
            return last < consumer.reached and number not in consumer.pending
        working = producer.alive and producer.doing is not None and not producer.ended
        return number < producer.doing if working else number <= self.saved[0]
