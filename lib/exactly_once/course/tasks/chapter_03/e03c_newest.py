"""Exercise 03c: an update by key that a replay cannot turn back, seen by an observer who looks twice."""

import inspect
import textwrap
from html import escape

from .... import show as drawing
from ....errors import BadInput, what_failed
from ....handlers.logs.consumer import fetch
from ....node.words import describe
from ....pipeline import Job
from ..reply import right, unsolved, wrong
from ..run_answer import calm, proved
from ..task import Task

JOB = Job(items=3)
BATCH = 2
NAMES = {f"latest.{stream}": stream for stream in JOB.start()}
SEEN = "latest.seattle"
RIGHT = {
    name: [readings[-1].hour, readings[-1].value] for name, readings in zip(NAMES, JOB.inputs().values(), strict=True)
}


def consumer_with(update):
    """Return a consumer that saves its position after two items each, with `update(node, item)` as its effect."""

    def consumer(node):
        positions = node.positions.load()
        while node.running(positions):
            items, positions = fetch(node, positions, BATCH)
            for item in items:
                update(node, item)
            node.positions.save(positions)

    return consumer


def observer(node):
    """Look at one key twice, and put down the hour that was there."""
    for _ in range(2):
        _, held = node.registers.read(SEEN)
        node.output.push(held[0] if isinstance(held, list) and held else 0)


def newest(view):
    """In the end each key holds its newest reading."""
    held = view.registers
    for name, reading in RIGHT.items():
        if view.done and held.get(name) != reading:
            found = describe(held[name]) if name in held else "nothing"
            return f"{name} holds {found} in the end, and should hold {describe(reading)}"
    return True


def forward(view):
    """In the end each key holds its newest reading, and the observer never sees an older one after a newer one."""
    for before, after in zip(view.outputs, view.outputs[1:], strict=False):
        if after < before:
            return f"an observer who saw hour {before} under {SEEN} sees hour {after} there a moment later"
    return newest(view)


def listing(handler):
    """Return the source of a handler."""
    source = (
        textwrap.dedent(inspect.getsource(handler)).replace("BATCH", str(BATCH)) + "\n\n" + inspect.getsource(fetch)
    )
    return drawing.Picture(f'<pre class="eo-listing">{escape(source)}</pre>', text=source)


def check(update):
    """Prove the consumer with this update: calm, with a crash, and before an observer."""
    if update is ...:
        return unsolved("your update")
    if not callable(update):
        raise BadInput(f"The update is {update!r}; it is a function of a node and a reading.")
    handler = consumer_with(update)
    run = calm(handler, JOB)
    if run.error:
        return wrong(f"The update itself failed: {what_failed(run.error)}", run, handler)
    if not any(
        event.text.startswith(("read latest", "cas", "read ")) and "hour" not in event.text for event in run.trace
    ):
        return unsolved("the body of your update")
    for handlers, rule, bounds, when in (
        (handler, newest, {"crashes": 0}, "Even when nothing goes wrong"),
        (handler, newest, {"crashes": 1}, "With one crash"),
        ([handler, observer], forward, {"nodes": 2, "crashes": 1}, "With one crash and an observer"),
    ):
        proof = proved(handlers, rule, JOB, **bounds)
        if proof.counterexample is not None:
            return wrong(f"{when}: {proof.counterexample.sentence}", proof.counterexample, handlers)
        if not proof.exhausted:
            return wrong(f"Not proved: {proof.stopped}. Write it with fewer steps.")
    return right(
        "A replay changes nothing that was there already: the update is idempotent, and its value never goes back, "
        f"whoever looks on ({proof.states:,} states). At-least-once has become harmless at every moment."
    )


def show(update):
    """Draw what the consumer with this update does in a calm run, at hour 2."""
    if update is ...:
        return listing(consumer_with(...))
    return drawing.spacetime(calm(consumer_with(update), JOB), 2)


TASK = Task(
    title="make an update by key that never goes back",
    answer="update",
    show=show,
    check=check,
    hints=(
        "After a crash the consumer handles a batch again, from its first hour. What can an update find under the "
        "key that "
        "tells it that this reading is an old one?",
        "Each value carries its hour. Read first: node.registers.read(name) returns (version, value), with None as "
        "the value when nothing was written.",
        "Write only if there is no value yet, or its hour is smaller than item.hour. Compare hours, "
        "not temperatures.",
        "name = f'latest.{item.stream}'; version, held = node.registers.read(name); if held is None or held[0] < "
        "item.hour: "
        "node.registers.cas(name, version, [item.hour, item.value]).",
    ),
)
