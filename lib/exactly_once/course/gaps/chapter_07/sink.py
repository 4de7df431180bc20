"""Gap 07-sink: apply a message with the index of the next one, in one transaction of the database."""

from ....handlers.stream.offset_in_sink import counter_sink
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap
from .handlers import ONE_HOUR, counterexample, with_sink

CASES = (
    ("Nothing goes wrong", {"crashes": 0}),
    ("A life dies", {"crashes": 1}),
    ("A request arrives twice", {"crashes": 0, "duplicates": 1}),
    ("A request arrives late", {"crashes": 0, "late_requests": 1}),
    ("A life falls asleep, and wakes up beside its successor", {"crashes": 0, "pauses": 1}),
)
WRITES = ("in one transaction", "increment", "add", "cas", "write", "append", "prepare")


def check(answer):
    """Prove the two handlers with the learner's sink, one kind of fault at a time."""
    for when, bounds in CASES:
        found = called(counterexample, answer, with_sink, ONE_HOUR, bounds)
        if found:
            if when == CASES[0][0] and not any(event.text.startswith(WRITES) for event in _asked(found)):
                return unsolved("your lines")
            return wrong(f"{when}. {found.sentence}", found, with_sink(answer))
    return right(
        "Each message counts once: explored with a crash, a duplicate, a late request and a pause, one at a time."
    )


def _asked(found):
    """Return the sink's requests to the database."""
    lives = {event.process for event in found.trace if event.text.startswith(("read index", "read increments"))}
    return [event for event in found.trace if event.kind == "send" and event.process in lives]


GAP = Gap(
    title="the index beside the count",
    judge=check,
    library=counter_sink,
    hints=(
        "Two writes belong to each message, the count and the index of the next message. What lets them appear "
        "together, and what lets a sleeper's writes be refused?",
        '`node.database.transact(…, …)` carries out all or nothing. ("cas", INDEX, version, …) among them refuses '
        "all, unless the index is as it was read. Then read it again.",
        '`node.database.transact(("cas", INDEX, version, positions[QUEUE]), ("add", "counter", 1))`, and `version, '
        "index = node.database.read(INDEX)`.",
    ),
)
