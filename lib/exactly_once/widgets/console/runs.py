"""The work of the crash console, each in the console's own thread: one run, a whole matrix, a live run."""

import time

from ...faults import POINTS
from ...node.program import deployment_of
from ..base.cluster import Stopped
from .choices import OWN, row_choice
from .worlds import live_job

BATCH = 5
SNAPSHOT_SECONDS = 0.25


def one_run(model, work, world, choices, plan, take_over=False):
    """Run one fault plan in one world, and show its verdict."""
    handler, job, trusted = model.handler(choices), model.state.job, choices.strategy != OWN
    if world == "simulated":
        verdict = model.worlds.simulated(handler, plan, job, trusted)
    else:
        deployment = deployment_of(handler)
        query = deployment is not None and deployment.checkpoint is not None
        if take_over or not query:  # a query has a driver of its own, and stops a cluster that was taken over for it
            ready_cluster(model, work, take_over)
        where = "the real query; each life of its driver takes some 10 seconds" if query else "on the cluster"
        model.report(work, status=f"Running {where} …")
        (verdict,) = model.worlds.on_cluster([(handler, plan, job, trusted)], work.stopped)
    if work.stopped() or work.left_behind:
        raise Stopped
    if choices.point in POINTS and plan == choices.plan():
        model.record(world, choices, choices.point, verdict)
    said = {"said": model.said_of(choices), "guess": None}
    model.report(work, verdict=verdict, shown=choices, world=world, status="", last_line=None, live_life=0, **said)
    if world == "simulated":
        model.at_place(work, choices, plan, verdict)


def one_place(model, work, choices, kind, index):
    """Run a learner's handler with a fault at a place of its strip, and show the verdict."""
    strip = model.scrubber.strip(choices, kind)
    verdict = model.scrubber.verdict(strip, index)
    if work.stopped() or work.left_behind:
        raise Stopped
    model.show(choices, kind, index, verdict, work)


def ready_cluster(model, work, take_over=False):
    """Start the cluster if it is not up, and report the progress."""
    if model.worlds.cluster_is_up():
        return
    work.phase = "starting"
    model.report(work, status="Starting the cluster; the first time this takes 5 to 15 seconds …")
    model.worlds.start_cluster(lambda words: model.report(work, status=f"Starting the cluster … {words}"), take_over)
    work.phase = ""
    if work.stopped():
        raise Stopped


def fill_matrix(model, work):
    """Run the cells of the matrix that have no result yet, or all of them when none is left."""
    state = model.state
    world, cells = state.world, [(row, point) for row in state.rows for point in POINTS]
    left = [cell for cell in cells if model.result(*cell) is None] or cells
    before = len(cells) - len(left)
    model.report(work, progress=(before, len(cells)))
    if world == "cluster":
        ready_cluster(model, work)
    size = 1 if world == "simulated" or state.choices.kill == "executor" else BATCH
    where = "simulated" if world == "simulated" else "on the cluster"
    for start in range(0, len(left), size):
        if work.stopped():
            raise Stopped
        _count(model, work, before + start, len(cells))
        batch = [(row_choices(state.choices, row), point) for row, point in left[start : start + size]]
        cases = [
            (model.handler(chosen), chosen.plan(point), state.job, chosen.strategy != OWN) for chosen, point in batch
        ]
        if world == "simulated":
            verdicts = [model.worlds.simulated(*case) for case in cases]
        else:
            verdicts = model.worlds.on_cluster(
                cases, work.stopped, lambda done, start=start: _count(model, work, before + start + done, len(cells))
            )
        for (chosen, point), verdict in zip(batch, verdicts, strict=True):
            model.record(world, chosen, point, verdict)
    model.report(work, status=f"The matrix is filled: {len(left)} runs, {where}.")


def _count(model, work, done, most):
    if model.state.progress != (done, most) or not model.state.status.startswith("Filling"):
        model.report(work, progress=(done, most), status="Filling the matrix …")


def row_choices(choices, row):
    """Return the choices for another row of the matrix, the rest as it is."""
    for name, value in row_choice(row).items():
        choices = choices.choose(name, value, None, own=True)
    return choices


def live_run(model, work):
    """Run the chosen handler on the cluster until it is stopped, showing it four times a second."""
    choices = model.state.choices
    ready_cluster(model, work)
    model.report(work, status="Starting a live run …")
    live = model.worlds.live(model.handler(choices), live_job(model.state.job), model.state.pace, choices.node)
    live.start()
    try:
        model.report(work, status="Live on the cluster. Arm a letter, or kill at once.")
        going = True
        while going and not work.stopped():
            for order in work.orders(SNAPSHOT_SECONDS):
                obey(model, work, live, *order)
            going = show_live(model, work, live, choices)
    finally:
        model.report(work, status="Stopping the live run …")
        verdict = live.stop()
    model.report(work, verdict=verdict, shown=choices, live_life=0)
    if not work.stopped():
        model.report(work, status="The live run has ended by itself.")


def obey(model, work, live, name, *arguments):
    """Carry out an order of the learner; one that fails is shown, and the live run goes on."""
    try:
        done = getattr(live, name)(*arguments)
    except Exception as why:  # noqa: BLE001 - shown in the console; the run must not end by it
        model.fail(why)
        return
    if name == "kill_now":
        now = time.strftime("%H:%M:%S")
        model.report(
            work,
            status=f"Killed at {now}." if done else "There was no incarnation to kill at this moment; try again.",
        )


def show_live(model, work, live, choices):
    """Show the live run as it stands; tell whether it goes on."""
    shot = live.snapshot()
    model.report(
        work,
        verdict=shot.verdict,
        shown=choices,
        armed=shot.armed,
        last_line=shot.last_line,
        live_life=shot.current_life,
    )
    return shot.running
