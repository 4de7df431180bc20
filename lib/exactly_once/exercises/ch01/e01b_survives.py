"""Exercise 01b: a Lamport clock that survives the crash of its process."""

from itertools import pairwise

from ... import show as drawing
from ...errors import BadInput, is_whole, what_failed
from ...pipeline import Job
from ...stores.codec import decode
from ..kinds.reply import has_dots, right, unsolved, wrong
from ..kinds.run_answer import calm, proved
from ..kinds.task import Task

JOB = Job(items=1)
CARRIED = 1000
EVENTS = (
    None,
    CARRIED,
    None,
)  # the events of each incarnation: a send, a receipt of a message that is far ahead, a send
CRASHES = 2
WHEN = ("Even when nothing goes wrong", "One crash", "Two crashes")


class Disk:
    """A disk that survives the process, with one value. `load()` gives 0 before the first `save(value)`."""

    def __init__(self, node):
        self._store = node.store("disk")

    def load(self):
        """Return the last saved value; a step."""
        version, value = self._store.read("clock")
        return value if version else 0

    def save(self, value):
        """Save a value over the one before; a step."""
        self._store.write("clock", value)


def process_with(clock_of):
    """Return the process as a handler: each incarnation makes a clock from its disk, and notes each stamp."""

    def process(node):
        clock = clock_of(Disk(node))
        for carried in EVENTS:
            if carried is None:
                node.output.push(["send", clock.tick()])
            else:
                node.output.push([f"receive {carried}", clock.receive(carried)])

    return process


def never_back(view):
    """The rule: stamps are whole numbers, each larger than all before it, and a receipt's larger than its send's."""
    for what, stamp in view.outputs:
        if not is_whole(stamp):
            return f"the stamp of a {what.split()[0]} is {str(stamp)[:60]!r}, which is no whole number"
        if what.startswith("receive") and stamp <= CARRIED:
            return f"a message stamped {CARRIED} is received with {stamp}"
    for (_, one), (what, other) in pairwise(view.outputs):
        if other == one:
            return f"the stamp {one} is given twice"
        if other < one:
            return f"the stamps go back: after {one}, a {what.split()[0]} gets {other}"
    return True


def check(answer):
    """Kill the process between any two steps, twice at most, and check the stamps of all its incarnations."""
    if has_dots(answer):
        return unsolved("your clock")
    run, handler = _calm(answer), process_with(answer)
    if run.error:
        return wrong(f"Your clock fails: {what_failed(run.error)}", run, handler, traceback=run.error)
    if all(decode(text)[1] is None for text in run.outcome.outputs):
        return unsolved("the bodies of its methods")
    for crashes in range(CRASHES + 1):
        proof = proved(handler, never_back, JOB, crashes=crashes)
        if (found := proof.counterexample) is not None:
            return wrong(f"{WHEN[crashes]}: {found.sentence[:1].lower()}{found.sentence[1:]}", found, handler)
        if not proof.exhausted:
            return wrong(f"Not proved: {proof.stopped}. Write it with fewer steps.")
    saves = sum(event.kind == "send" and event.verb == "write" for event in run.trace)
    return right(
        f"No stamp is given twice and none goes back, wherever the process dies, up to {CRASHES} times "
        f"({proof.states:,} states). An incarnation with {len(EVENTS)} events saved {saves} "
        f"{'time' if saves == 1 else 'times'}{_price(saves)}"
    )


def _calm(clock_of):
    if not callable(clock_of):
        raise BadInput(f"The clock is {repr(clock_of)[:60]}; it is a class that is made with a disk.")
    return calm(process_with(clock_of), JOB)


def _price(saves):
    if saves < len(EVENTS):
        return ": it saves a limit ahead of its stamps, and after a crash skips what is left below the limit."
    return ". Could it do with fewer?"


def show(answer):
    """Draw one incarnation without a crash, with the stamps of its three events."""
    if has_dots(answer):
        return drawing.Picture("<p>There is no clock yet.</p>", text="There is no clock yet.")
    return drawing.spacetime(_calm(answer))


TASK = Task(
    answer="DurableClock",
    tier="warm-up",
    show=show,
    check=check,
)
