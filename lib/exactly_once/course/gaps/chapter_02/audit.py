"""Gap 02-audit: what was acknowledged and is lost, and what is there twice."""

from .... import show
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called
from ..registry import Gap

CASES = (  # the numbers of the records that were acknowledged, and of those that a reader finds
    ([1, 2, 3], [1, 2, 3]),
    ([1, 2, 3], [1, 3]),
    ([1, 2, 3], [1, 2, 2, 3]),
    ([1, 2, 3], [1, 3, 3]),
    ([1, 3], [1, 2, 3]),
    ([1, 2, 3], [1, 2, 3, 1, 2, 3]),
    ([1, 2, 3, 4], [4, 4, 2, 2, 2]),
    ([], [1]),
    ([1], [1, 2, 2]),
)


def audit(acknowledged, readable):
    """Return (the records that were acknowledged and cannot be read, those that can be read more than once)."""
    lost = [number for number in acknowledged if number not in readable]
    doubled = sorted({number for number in readable if readable.count(number) > 1})
    return lost, doubled


def answers(function, cases):
    """Return what a function says of each case."""
    return [function(list(acknowledged), list(readable)) for acknowledged, readable in cases]


def check(answer):
    """Ask the learner's audit about what producers were told and readers found."""
    told = called(answers, answer, CASES)
    if all(said is None for said in told):
        return unsolved("your lines")
    for case, said in zip(CASES, told, strict=True):
        if sentence := objection(*case, said):
            titles = dict(zip(("acknowledged", "to be read"), case, strict=True))
            return wrong(sentence, picture=show.log(titles, numbers="place"))
    return right("It finds a loss even where a doubled record makes up the number.")


def objection(acknowledged, readable, said):
    """Return what is wrong with one audit, or None."""
    lists = isinstance(said, (tuple, list)) and [type(part) in (list, tuple, set) for part in said] == [True, True]
    if not lists:
        return (
            f"It returns {said!r}; return two lists, the numbers that are lost and the numbers that are there twice."
        )
    for part in said:
        if len(set(part)) < len(part):
            return f"It returns {said!r}; name each record once, however often it is there."
    for what, mine, should in zip(
        ("lost", "there twice"), map(sorted, said), audit(acknowledged, readable), strict=True
    ):
        if mine != should:
            why = ""
            if len(acknowledged) == len(readable):
                why = " As many can be read as were acknowledged, and they are not the same."
            elif what == "lost" and not set(mine) <= set(acknowledged):
                why = " What was never acknowledged was never promised."
            elif what == "there twice" and not set(mine) <= set(should):
                why = " A record that is there once, unanswered, is no double."
            return f"It says that {mine or 'none'} are {what}; {should or 'none'} are.{why}"
    return None


GAP = Gap(
    title="what is lost, and what is there twice",
    judge=check,
    library=audit,
    hints=(
        "A record is lost when it was acknowledged and no reader finds it. Numbers alone do not say so.",
        "Go through `acknowledged` and look for each in `readable`. For the doubled ones, count in `readable`.",
        "`readable.count(number) > 1`. A set makes of several equal numbers one.",
    ),
)
