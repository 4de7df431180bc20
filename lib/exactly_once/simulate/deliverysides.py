"""The two sides of a simulated log: their lives one after the other, their positions, and what befalls each step."""

from greenlet import getcurrent, greenlet

from ..errors import OutcomeUnknown
from ..node import Reading
from ..node.life import InputsEnded
from .client import Client
from .deliverywords import death, done, unknown

KEYS = ("north", "south")


def key_of(number):
    """Return the key of a record: the two keys take turns."""
    return KEYS[(number - 1) % len(KEYS)]


class Side:
    """A producer or a consumer: its lives one after the other, its saved position, and its ground's operations."""

    name = ""

    def __init__(self, bench, handler, plan):
        self.bench, self.handler, self.plan = bench, handler, plan
        self.life, self.saved, self.fired = 1, 0, set()
        self.alive, self.ended, self.client, self._running = True, False, None, None

    def turn(self):
        """Go on to the next step. After a death the next life begins."""
        if self.ended:
            return
        if self._running is None:
            self._hub = getcurrent()
            self._running = greenlet(self._live)
        if self._running.switch() == "died":
            self._running = None

    def _live(self):
        self.client = Client(self)
        if not self.alive:
            self.life, self.alive = self.life + 1, True
        try:
            self.handler(self.client)
        except OutcomeUnknown:
            self.forget()
            self.note(f"The {self.name} cannot know what came of it. This life ends, and the next one takes over.")
            return "died"
        except InputsEnded:
            pass
        self.ended = True
        self.note(f"The {self.name} has come to the end.")
        return "ended"

    def note(self, says, hurt=False, wire=None, who=None):
        """Keep a moment of this side."""
        self.bench.note(who or self.name, says, hurt, wire)

    def yield_turn(self, word="step"):
        """Let the other side go on."""
        self._hub.switch(word)

    def strikes(self, name, kind, numbers):
        """Tell whether a fault strikes here, for the first time."""
        for place, fault in enumerate(self.plan.faults):
            if fault.at == name and fault.kind == kind and fault.item in numbers and place not in self.fired:
                self.fired.add(place)
                return True
        return False

    def die(self, name, when, numbers):
        """End this life at once."""
        self.forget()
        self.note(death(self.name, name, when, numbers), hurt=True)
        self.yield_turn("died")
        raise AssertionError("a dead life was asked to go on")

    def forget(self):
        """Lose what this life had in memory."""
        self.alive, self.client = False, None

    def step(self, name, numbers, act):
        """Carry out one operation under whatever strikes here."""
        if self.strikes(name, "crash before", numbers):
            self.die(name, "before", numbers)
        self.ask(name, numbers)
        if self.strikes(name, "lost request", numbers):
            self.lose(name, "request", numbers)
        value = act()
        if said := done(self, name, numbers, value):
            self.note(said, who="log" if name == "output.push" else None)
            self.yield_turn()
        if self.strikes(name, "crash after", numbers):
            self.die(name, "after", numbers)
        if self.strikes(name, "lost reply", numbers):
            self.lose(name, "reply", numbers)
        self.hear(name, numbers)
        return value

    def ask(self, name, numbers):
        """Send a request. Most take no moment of their own."""

    def hear(self, name, numbers):
        """Hear an answer. Most take no moment of their own."""

    def lose(self, name, what, numbers):
        """Lose a message on its way. The handler hears the same in both cases."""
        self.note(unknown(self, name, what, numbers), hurt=True)
        self.yield_turn()
        raise OutcomeUnknown(f"No reply to {name}.")

    def load(self):
        """Return the saved position."""
        return self.saved

    def save(self, offset):
        """Save the position."""
        self.saved = offset


class Producing(Side):
    """The producer, whose inputs are the numbers from 1 on."""

    name = "producer"
    doing, tried = None, None

    def has(self, offset):
        """Tell whether there is a record to send."""
        return offset < self.bench.records

    def take(self, offset):
        """Return the record to send."""
        self.doing = offset + 1
        return Reading(offset + 1, key_of(offset + 1), offset + 1)

    def push(self, number):
        """Append a record to the log, and return its offset."""
        self.bench.log.append(number)
        return len(self.bench.log) - 1

    def has_left(self, number):
        """Tell whether the producer will never send this record any more."""
        working = self.alive and self.doing is not None and not self.ended
        return number < self.doing if working else number <= self.saved

    def ask(self, name, numbers):
        """Show a record that leaves for the log."""
        if name == "output.push":
            again = " once more" if self.tried == numbers else ""
            self.tried = numbers
            self.note(f"The producer sends record {numbers[0]}{again}.", wire=("producer", "log", numbers[0], False))
            self.yield_turn()

    def hear(self, name, numbers):
        """Show an acknowledgement that arrives."""
        if name == "output.push":
            said = f"The acknowledgement of record {numbers[0]} arrives: the producer knows that it is written."
            self.note(said, wire=("log", "producer", numbers[0], False))
            self.yield_turn()

    def lose(self, name, what, numbers):
        """Lose a message, or the broker that was to send it."""
        if self.bench.broker and name == "output.push":
            self.bench.broker_lives += 1
        ways = {"request": ("producer", "log"), "reply": ("log", "producer")}
        self.note(unknown(self, name, what, numbers), hurt=True, wire=(*ways[what], numbers[0], True))
        self.yield_turn()
        raise OutcomeUnknown(f"No reply to {name}.")

    def forget(self):
        """Lose which record was under way."""
        super().forget()
        self.doing, self.tried = None, None


class Consuming(Side):
    """The consumer, whose inputs are the log."""

    name = "consumer"
    reached, newest = 0, None

    @property
    def in_hand(self):
        """The numbers that were read and have had no effect yet."""
        return (*(item.hour for item in self.client.pending), self.newest) if self.client else ()

    def has(self, offset):
        """Tell whether there is a record at an offset, once that is known."""
        while offset >= len(self.bench.log) and not self.bench.producer.ended:
            self.yield_turn("wait")
        return offset < len(self.bench.log)

    def load(self):
        """Return the saved position, from which this life reads on."""
        self.reached = self.saved
        return self.saved

    def take(self, offset):
        """Return the record at an offset."""
        number = self.bench.log[offset]
        self.reached, self.newest = offset + 1, number
        return Reading(number, key_of(number), number)

    def forget(self):
        """Lose how far it had read."""
        super().forget()
        self.reached, self.newest = self.saved, None

    def add(self, item):
        """Count a record under its key."""
        self.bench.held[item.stream] += 1
        self.bench.applied.append(item.hour)

    def look(self, key):
        """Return (version, value) of a key."""
        return self.bench.versions[key], self.bench.held[key]

    def put(self, item, key, version, value):
        """Write a record's number under its key."""
        self.bench.versions[key] += 1
        self.bench.held[key] = value[0]
        self.bench.applied.append(item.hour)
        return True
