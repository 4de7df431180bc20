"""Gap 02-nothing-lost: the invariant of a replicated partition: what was acknowledged is there."""

from .... import show
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

CASES = (  # what was acknowledged, what the leader has, and what happened
    ([], ["tea"], "One record is on its way, and nobody was told anything."),
    ([(0, "tea")], ["tea"], "The tea was acknowledged, and the leader has it."),
    ([(0, "tea")], None, "The tea was acknowledged, the leader is dead, and nobody is elected yet."),
    ([(0, "tea")], [], "The tea was acknowledged with acks=1, and a follower leads that never had it."),
    ([(0, "tea")], ["tea", "cake"], "The tea was acknowledged; the cake is on its way."),
    ([(0, "tea"), (1, "cake")], ["tea"], "Tea and cake were acknowledged, and the leader has one of them."),
    ([(0, "tea"), (0, "cake")], ["cake"], "The tea was lost with its leader, and the next one put the cake there."),
    ([(1, "cake")], ["tea", "cake"], "The tea was never answered; the cake was acknowledged, and is there."),
    ([(0, "tea")], ["cake", "tea"], "The tea was lost and sent again; its offset 0 holds something else."),
)


def nothing_lost(acknowledged, leader):
    """Tell whether each (offset, value) that was acknowledged stands in the leader's log, if there is a leader."""
    if leader is None:
        return True
    return all(leader[offset : offset + 1] == [value] for offset, value in acknowledged)


def answers(function, cases):
    """Return what a function says of each state of a cluster."""
    return [function(list(told), None if leader is None else list(leader)) for told, leader, _ in cases]


def check(answer):
    """Ask the learner's invariant about states of a cluster, good ones and bad ones."""
    said = called(answers, answer, CASES)
    if all(each is None for each in said):
        return unsolved("your lines")
    for (told, leader, story), mine in zip(CASES, said, strict=True):
        should = nothing_lost(told, leader)
        if type(mine) is bool and mine == should:
            continue
        picture = show.log(
            {
                "acknowledged": [value for _, value in told],
                "nobody leads" if leader is None else "leader": leader or [],
            }
        )
        if type(mine) is not bool:
            return wrong(f"{story} The invariant says {mine!r}; let it return True or False.", picture=picture)
        if leader is None:
            return wrong(
                f"{story} That is waiting, and no loss: without a leader the invariant holds.", picture=picture
            )
        what = "holds: nothing that was acknowledged is missing" if should else "is broken: a promise was not kept"
        return wrong(f"{story} The invariant {what}. Yours says {mine}.", picture=picture)
    return right(
        "It holds where nothing was promised and where nobody leads yet, and breaks where a promise is broken."
    )


GAP = Gap(
    title="the invariant: what was acknowledged is there",
    judge=check,
    library=nothing_lost,
    hints=(
        "An invariant is true in every state that is all right. Which states are: without a leader, for example?",
        "Go through `acknowledged`: each is a pair of offset and value. `leader` is a list of values, or None.",
        "`leader[offset] == value`, if the leader's log is that long. Nothing else that it holds matters.",
    ),
)
