"""Exercise 03c: an update by key that a repeated batch cannot turn back; an observer reads the key twice."""

import inspect
import textwrap
from html import escape

from ... import show as drawing
from ...errors import BadInput, what_failed
from ...handlers.logs.consumer import fetch
from ...pipeline import Job
from ...stores.codec import describe
from ..kinds.reply import right, unsolved, wrong
from ..kinds.run_answer import calm, proved
from ..kinds.task import Task

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
    """Read one key twice, and push the hour found there."""
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
    """In the end each key holds its newest reading, and the observer never sees the hours go back."""
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
        "A repeated batch changes nothing: the update is idempotent, and no observer sees the value go back "
        f"({proof.states:,} states). At-least-once has become harmless at every moment."
    )


def show(update):
    """Draw hour 2 of a calm run of the consumer with this update."""
    if update is ...:
        return listing(consumer_with(...))
    return drawing.spacetime(calm(consumer_with(update), JOB), 2)


TASK = Task(
    answer="update",
    show=show,
    check=check,
)
