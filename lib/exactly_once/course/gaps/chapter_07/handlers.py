"""What gaps of this chapter share: its handlers, made of the learner's lines and the library's, and their proofs."""

from ....explore import prove
from ....handlers import at_least_once, offset_in_sink
from ....handlers.stream.offset_in_sink import INDEX, QUEUE
from ....handlers.stream.two_phase import EPOCH, finish, prepare, take_over
from ....node.program import Deployment
from ....pipeline import Job

ONE_HOUR = Job(items=1, duration=1, threshold=1)  # it is above the threshold
TWO_HOURS = Job(items=2, duration=2, threshold=2)  # the second is


def in_two_phases(take_over=take_over, finish=finish):
    """Return the chapter's handler with two-phase commit, of these parts."""

    def handler(node):
        engine = node.engine()
        epoch = take_over(node, engine)
        finish(node, engine)
        positions, window = node.positions.load(), node.state.load()
        while node.running():
            items, next_positions = node.read(positions)
            window.push(items)
            window.trim(node.duration)
            engine.begin()
            engine.push(window.average())
            engine.save_state(window)
            engine.save_positions(next_positions)
            prepared = None
            if len(window) > node.threshold:
                prepared = f"{engine.epoch}.{items[0].hour}"
                prepare(node, prepared, epoch)
            engine.commit(prepared)
            if prepared:
                node.database.commit_prepared(prepared)
            positions = next_positions
        finish(node, engine)

    return Deployment(handler, None, at_least_once, None, own=(("database", EPOCH),))


def with_sink(sink):
    """Return the library's handler that sends messages, with this reader of them."""
    return Deployment(offset_in_sink, sink, at_least_once, None, queue=QUEUE, own=(("database", INDEX),))


def counterexample(theirs, made, job, bounds):
    """Return the simplest schedule that breaks `made(theirs)`, or None; `bounds` go to `prove`. For `called`."""
    return prove(made(theirs), job=job, **bounds).counterexample


def with_take_over(theirs):
    """Return the handler with a learner's `take_over`."""
    return in_two_phases(take_over=theirs)


def with_finish(theirs):
    """Return the handler with a learner's `finish`."""
    return in_two_phases(finish=theirs)
