"""Gap 04-what-it-saves: what must a life leave in the stores, so that its successor can go on?"""

from ....errors import what_failed
from ....faults import Fault, FaultPlan
from ....pipeline import Job
from ....simulate import simulate
from ....verdict import judge
from ...tasks.reply import right, unsolved, wrong
from ...tasks.run_answer import called, calm
from ..registry import Gap

JOB = Job(items=6, duration=3)
BETWEEN = FaultPlan([Fault("input.read", 4, "crash before")])  # hour 3 is done, and hour 4 not begun

LACKS = {
    "positions": "Life 2 does not know how far life 1 had come: the positions are not saved.",
    "state": "Life 2 does not know what was in the window: the state is not saved.",
}


def remembers(node):
    """Push each hour's average, and save what the next life needs."""
    positions = node.positions.load()
    window = node.state.load()
    while node.running():
        items, positions = node.read(positions)
        window.push(items)
        window.trim(node.duration)
        node.output.push(window.average())
        node.state.save(window)
        node.positions.save(positions)


def check(answer):
    """Run the learner's handler: calm, and killed between two hours, where a successor has to go on."""
    calm_run = calm(answer, JOB)
    if calm_run.error:
        return wrong(f"With nothing killed, your handler fails: {what_failed(calm_run.error)}", calm_run, answer)
    saved = {entry.part for entry in calm_run.writes} & {"state", "positions"}
    hours = [push.value for push in calm_run.pushes]
    if hours != [push.value for push in simulate(remembers, job=JOB).pushes]:
        return wrong("With nothing killed, the output is not the average of each hour, once.", calm_run, answer)
    if not saved:
        return unsolved("what is to be saved")
    judged = judge(called(simulate, answer, BETWEEN, JOB), remembers)
    if judged.damage.outputs:
        lacks = " ".join(LACKS[part] for part in LACKS if part not in saved)
        reason = lacks or "Both are saved, but not as they are at the end of each pass."
        return wrong(f"Killed between hours 3 and 4, it does not go on as it should. {reason}", judged, answer)
    return right("Killed between two hours, it goes on. What if it is killed in the middle of one?", judged, answer)


GAP = Gap(
    title="save what the next life needs",
    judge=check,
    library=remembers,
    hints=(
        "What does the handler load before its loop? A life that dies leaves nothing else to its successor.",
        "`node.state.save(…)` and `node.positions.save(…)` store a value each. Where in the pass is the value right?",
        "At the end of each pass: `node.state.save(window)`, and `node.positions.save(positions)`.",
    ),
)
