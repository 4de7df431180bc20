"""Gap 07-where: the index in the WHERE clause, at the level that PostgreSQL has when nobody says another."""

from ....handlers.logs.database_consumer import (
    applied_once,
    for_update,
    inserted,
    set_index,
    twins,
    where_index,
    where_unchecked,
)
from ....sandbox import prove_safely
from ....show import side_by_side
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import SECONDS
from ..registry import Gap

LEVELS = ("read committed", "repeatable read")
NOT_ENDED = "commit it or roll it back before the next one begins"


def check(answer):
    """Run the learner's lines on one node; then on two at once, at both levels, with every schedule and a crash."""
    alone = _proved(answer, LEVELS[0], nodes=1).counterexample
    if alone is not None and NOT_ENDED in alone.sentence:
        return unsolved("your lines, with a commit or a rollback on each way,")
    if alone is not None:
        return _against(alone, "On a node of its own")
    for messages, crashes in ((1, 0), (2, 1)):  # the shorter schedules first
        for level in LEVELS:
            found = _proved(answer, level, 2, messages, crashes).counterexample
            if found is not None:
                return _against(found, f"At the level {level!r}, with two nodes at once")
    return right(
        "Each message is applied once at both levels, whatever the schedule: two nodes, two messages, one crash. Who "
        "comes second finds that no row matches any more, and leaves nothing behind."
    )


def _proved(answer, level, nodes, messages=2, crashes=0):
    programs = twins(answer, level, messages, nodes)
    return prove_safely(programs, invariant=applied_once, crashes=crashes, seconds=SECONDS)


def _against(found, when):
    sentence = f"{when}: {found.sentence[0].lower()}{found.sentence[1:]}"
    return wrong(sentence, found, picture=side_by_side(found))


GAP = Gap(
    title="the index in the WHERE clause",
    judge=check,
    library=where_index,
    refuses=(set_index, where_unchecked, for_update, inserted),
    hints=(
        "`session.update` sets the row whatever it holds by now. Which statement sets it only if it still holds "
        "`number`, and what does that one return?",
        "`session.update_where(\"index\", number, number + 1)` returns how many rows matched: 1 or 0. With 0 "
        "somebody else has applied the message, and the effect above must not stay.",
        "If it is 1, `session.commit()`; else `session.rollback()`.",
    ),
)  # fmt: skip
