"""What must be equal when a schedule is carried out in both worlds."""

from exactly_once import judge
from exactly_once.explore import replay


def shape(run):
    """Return the trace without what differs from process to process: stamps, texts and messages are all there."""
    return [(event.process, event.kind, event.stamp, event.verb, event.text, event.message) for event in run.trace]


def the_same(token, handler, run):
    """Compare a run of the cluster with the performance of its token, in outcome, trace and verdict; return both."""
    simulated = replay(token, handler).run
    assert run.world == "spark"
    assert run.outcome == simulated.outcome, token
    assert shape(run) == shape(simulated), token
    assert run.error == simulated.error
    assert run.reached
    first = handler[0] if isinstance(handler, list) else handler
    real, expected = judge(run, first), judge(simulated, first)
    assert (real.damage, real.consistent, real.sentence) == (expected.damage, expected.consistent, expected.sentence)
    return real


def processes(run):
    """Return the process of each life, in the order of the lives."""
    return [event.detail["pid"] for event in run.trace.lives()]
