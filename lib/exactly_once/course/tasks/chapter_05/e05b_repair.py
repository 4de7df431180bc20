"""Exercise 05b: a broker that remembers which numbers it has seen, doubles nothing, and reorders."""

import inspect
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from .... import show as drawing
from ....clocks import Event, History
from ....errors import BadInput
from ..reply import right, unsolved, wrong
from ..run_answer import called
from ..task import Task
from .search import Broken, Found, alone, asked, copied, frozen, searched, shared, step

RECORDS = 4
VALUES = ("tea", "milk", "sugar", "cake")
EXAMPLE = "Number 0 is late and its first answer is lost; 0, 1 and 2 are sent once more"
ARRIVALS = ((1, False), (0, True), (2, False), (0, False), (1, False), (2, False), (3, False))
MOST = 4_000
SECONDS = 20.0  # a guard; it takes less than one


class Remembers:
    def __init__(self):
        self.log = []
        self.seen = set()

    def receive(self, number, value):
        if number not in self.seen:
            self.seen.add(number)
            self.log.append(value)
        return True


@dataclass(frozen=True)
class Burst:
    """A broker and a producer that sends all its records at once, and again whatever was not acknowledged.

    `arrivals` are the numbers that came to the broker, in order; what comes next does not depend on them.
    """

    broker: Any
    records: int
    arrived: tuple = ()
    acknowledged: frozenset = frozenset()
    arrivals: tuple = ()

    @property
    def log(self):
        """What the broker's log holds."""
        held = getattr(self.broker, "log", None)
        return tuple(map(repr, held)) if isinstance(held, (list, tuple)) else (repr(held),)

    def moves(self):
        """Yield what can happen next: any request arrives, once more or for the first time."""
        for number in range(self.records):
            again = "once more " if number in self.arrived else ""
            words = f"Number {number} ({VALUES[number]}) arrives {again}".rstrip()
            yield words, lambda number=number: self.received(number)
            if number not in self.acknowledged:
                yield words, lambda number=number: self.received(number, lost=True)

    def received(self, number, lost=False, judged=True):
        """Return (the state after a request has arrived, what was answered), if it is `judged` within the rules."""
        broker, call = copied(self.broker), f"receive({number}, {VALUES[number]!r})"
        arrived = tuple(sorted({*self.arrived, number}))
        after = replace(self, broker=broker, arrived=arrived, arrivals=(*self.arrivals, number))
        with step("", after):
            said = asked(call, broker.receive, number, VALUES[number])
            if said is not True and said is not False:
                raise Broken(f"{call} returns {said!r}; return True or False.")
            if judged:
                after.judge()
            if said and judged and VALUES[number] not in broker.log:
                raise Broken(f"Number {number} is acknowledged, and its record is not in the log.")
        known = self.acknowledged | ({number} if said and not lost else frozenset())
        answer = f"{'acknowledged' if said else 'refused'}{', but the answer is lost' * lost}"
        return replace(after, acknowledged=known), answer

    def judge(self):
        """Raise `Broken` unless the log holds the first records, each once, in order."""
        log = getattr(self.broker, "log", None)
        if not isinstance(log, list):
            raise Broken(f"self.log is {log!r}; it is a list of the values that are written.")
        if doubled := next((value for place, value in enumerate(log) if value in log[:place]), None):
            raise Broken(f"{doubled!r} is in the log twice: {log!r}.")
        if strange := [value for value in log if value not in VALUES[: self.records]]:
            raise Broken(f"{strange[0]!r} is in the log, which the producer has not sent.")
        if log != list(VALUES[: len(log)]):
            early = next(value for place, value in enumerate(log) if value != VALUES[place])
            missing = VALUES[log.index(early)]
            if missing in log:
                raise Broken(f"{early!r} is in the log before {missing!r}, which was sent first: {log!r}.")
            raise Broken(f"{early!r} is in the log without {missing!r}, which can only come behind it, or never.")

    def settle(self):
        """Let nothing go wrong any more: the producer sends what it heard nothing of, in order."""
        state = self
        for number in range(self.records):
            if number not in state.acknowledged:
                words = f"Nothing goes wrong any more, and number {number} is sent once more"
                with step(words, state):
                    state, answer = state.received(number)
                if answer == "refused":
                    with step(f"{words}: refused", state):
                        raise Broken(
                            f"Number {number} is refused although it is {_where(state, number)}; the producer never "
                            "comes to an end."
                        )

    def key(self):
        """Return bytes that are equal for equal states only."""
        return frozen(self.broker, self.arrived, sorted(self.acknowledged))


def _where(state, number):
    return "in the log" if VALUES[number] in state.broker.log else "the next one"


def explore(broker, records=RECORDS):
    """Return what a search through all that can arrive finds against a broker's class."""
    before = shared(broker)
    try:
        first = Burst(asked("Broker()", broker), records)
        first.judge()
        carried_out(broker)
        alone(broker, before)
    except Broken as why:
        return Found(str(why), traceback=why.traceback)
    return searched(first, MOST)


def check(answer):
    """Search one record first, then two, then all: every order of arrivals, with copies and lost answers."""
    if unwritten(answer):
        return unsolved("your class")
    states = 0
    for records in (1, 2, RECORDS):
        found = called(explore, answer, records, seconds=SECONDS)
        if found.sentence:
            return wrong(found.sentence, picture=drawn(found), traceback=found.traceback)
        if not found.whole:
            return wrong(
                f"After {MOST:,} states there are still new ones. Keep less in self: no counts of what comes."
            )
        states += found.states
    return right(
        f"Nothing is doubled, nothing out of order, and the producer comes to its end: {RECORDS} records, in every "
        f"order of arrivals, each as often as you like, any answer lost ({states:,} states). One number does what "
        "the set did, and more: it tells what is missing.",
        picture=drawn(called(carried_out, answer), EXAMPLE),
    )


def unwritten(answer):
    """Tell whether this is the class as it was handed out. Raises `BadInput` for what is no class."""
    if answer is ...:
        return True
    if not isinstance(answer, type):
        raise BadInput(f"The answer is {repr(answer)[:60]}; it is a class, Broker.")
    if not any(callable(held) for held in vars(answer).values()):
        return True
    if not callable(getattr(answer, "receive", None)):
        raise BadInput("The class has no method receive; it needs __init__ and receive.")
    return False


def drawn(found, title="The shortest schedule against it"):
    """Return the picture of a schedule, line by line, and of the log in the end."""
    lines = "".join(f"<li>{escape(line)}.</li>" for line in found.lines)
    diagram = paths(found).html if found.arrivals else ""
    log = f"The log: {' · '.join(each.strip(chr(39)) for each in found.log) or 'nothing'}"
    return drawing.Picture(
        f'<p class="eo-h">{title}</p>{diagram}<ol>{lines}</ol><p><b>{escape(log)}</b></p>',
        text="\n".join([*found.lines, log]),
    )


def paths(found):
    """Return the picture of the requests on their way: all are sent at once, and arrive as they do."""
    sent = sorted({*found.arrivals, *range(max(found.arrivals))})
    events = [Event("producer", "send", str(number)) for number in sent]
    for place, number in enumerate(found.arrivals):
        events.append(Event("broker", "receive", str(number), redelivery=number in found.arrivals[:place]))
    arrows = [(sent.index(number), len(sent) + place) for place, number in enumerate(found.arrivals)]
    stamps = [*sent, *found.arrivals]
    return drawing.history(
        History(events, arrows), stamps, marked={len(events) - 1: "here"} if found.sentence else {}
    )


def carried_out(broker, arrivals=ARRIVALS):
    """Return what a class does when requests arrive, as (number, whether the answer is lost), as a `Found`."""
    lines, state = [], Burst(None, RECORDS)
    try:
        state = replace(state, broker=asked("Broker()", broker))
        for number, lost in arrivals:
            words = f"Number {number} ({VALUES[number]}) arrives"
            state, answer = state.received(number, lost, judged=False)
            lines.append(f"{words}: {answer}")
    except Broken as why:
        state = why.state or state
        return Found(str(why), (*lines, str(why)), state.log, state.arrivals, traceback=why.traceback)
    return Found("", tuple(lines), state.log, state.arrivals)


def show(answer):
    """Draw what the class does with an example; without one, the broker that remembers, and what breaks it."""
    if not unwritten(answer):
        return drawn(called(carried_out, answer), EXAMPLE)
    picture = drawn(carried_out(Remembers), EXAMPLE)
    code = drawing.code_html(Remembers, remark=False)
    return drawing.Picture(f"{code}{picture.html}", text=f"{inspect.getsource(Remembers)}\n{picture}")


TASK = Task(
    title="a set of numbers forgets the order",
    answer="Broker",
    show=show,
    check=check,
    hints=(
        "The set can tell whether a number was here. What else does a broker have to know about number 2, before it "
        "writes it behind number 0?",
        "All numbers below the next one are in the log, and none above. So one number says everything that the set "
        "said. What are the three places a number can have, compared with it?",
        "The next number: write it, and acknowledge. A smaller one is in the log already: acknowledge, and do not "
        "write. A larger one: refuse it, so that the producer sends it again when the gap is closed.",
        "self.log = [] in __init__. receive: if number == len(self.log): self.log.append(value); return number < "
        "len(self.log).",
    ),
)
