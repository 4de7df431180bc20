"""Gap 04-never-twice: the four writes in an order in which no average is ever in the output twice."""

from ....errors import what_failed
from ....handlers import at_least_once, at_most_once
from ....node.words import spans
from ....pipeline import Job
from ....verdict import judge
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import calm, proved
from ..registry import Gap

JOB = Job(items=3)


def never_twice(node):
    """Save the positions first: what is written after them is written once, or never."""
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, next_positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.positions.save(next_positions)
        node.state.save(window)
        node.output.push(window.average())
        if len(window) > node.threshold:
            node.database.increment()
        positions = next_positions


def no_more_than_hours(view):
    """The rule: never are there more averages in the output than hours in the inputs; no order loses one as well."""
    count = len(view.outputs)
    return count <= JOB.items or f"{spans(range(1, JOB.items + 1))} have {count} averages in the output"


def check(answer):
    """Compare a calm run with the library's, then try a crash anywhere."""
    run = calm(answer, JOB)
    if run.error:
        return wrong(f"With nothing killed, your handler fails: {what_failed(run.error)}", run, answer)
    if not run.writes:
        return unsolved("the four writes")
    judged = judge(run, at_least_once)
    if not judged.exactly_once:
        return wrong(f"With nothing killed, not all is as it was. {judged.sentence}", judged, answer)
    found = proved(answer, no_more_than_hours, JOB, crashes=1).counterexample
    if found:
        return wrong(f"A crash doubles an average. {found.sentence}", found, answer)
    return right("Wherever the process dies, no average is there twice. What that costs is the next question.")


GAP = Gap(
    title="never push an average twice",
    judge=check,
    library=never_twice,
    refuses=(at_most_once,),
    hints=(
        "An average is pushed twice when a life does an hour again that another life had done. What tells a life "
        "which hour comes next?",
        "If the positions have passed an hour before its average is pushed, no later life pushes it again.",
        "`node.positions.save(next_positions)` comes before `node.output.push(window.average())`. The other two "
        "may stand anywhere.",
    ),
)
