"""The crash console's rows of controls: what to run, how to run it, and what a live run can suffer."""

from ...faults import POINTS
from ...handlers import ORDERS, STRATEGIES
from ..base.controls import button, field, number_field, segments, select
from .choices import ATTEMPTS, NO_POINT, ORDER, OWN, row_title

KILL_TITLES = {"worker": "Python worker", "executor": "whole executor"}
POINT_TITLES = {NO_POINT: "none"} | {point: point for point in POINTS}
ORDER_TITLES = [(",".join(order), " → ".join(order)) for order in ORDERS]
PACES = [(0.0, "as fast as it can"), (0.1, "fast"), (0.25, "to follow"), (0.6, "slow")]


def toolbar_html(state, own=None, proving="idle"):
    """Return the row of choices and the row of actions for a `State` of the console's model.

    `proving` is how busy its search is.
    """
    live = state.busy == "live"
    choices = live_choices(state) if live else idle_choices(state, own)
    off = state.busy != "idle"
    actions = [
        button("eo-run-simulated", "simulate", "Run simulated", off, primary=True),
        button("eo-run-cluster", "cluster", "▶ Run on the cluster", off, primary=True),
        button("eo-live", "live", "● Live", off, pressed=live),
        button("eo-prove-now", "prove", "∀ Prove", proving != "idle" or live, primary=True),
        button("eo-stop", "stop", "■ Stop", state.busy in ("idle", "stopping")),
    ]
    kind = "eo-choices eo-livebar" if live else "eo-choices"
    return (
        f'<div class="{kind}" role="group" aria-label="What to run">{"".join(choices)}</div>'
        f'<div class="eo-actions" role="group" aria-label="Run">{"".join(actions)}</div>'
    )


def idle_choices(state, own):
    """Return the controls of the next run."""
    chosen, off = state.choices, state.busy != "idle"
    strategies = [(name, row_title(name)) for name in STRATEGIES] + [(ORDER, "any order …")]
    if own:
        strategies.insert(0, (OWN, row_title(OWN, own)))
    orders = field("Order of the writes", select("order", ORDER_TITLES, ",".join(chosen.order), off))
    return [
        field("Strategy", select("strategy", strategies, chosen.strategy, off)),
        orders if chosen.strategy == ORDER else "",
        field("Crash point", segments("point", POINT_TITLES, chosen.point, off, "crash point {}")),
        number_field("At hour", "item", chosen.item, state.refused, state.job.items, off),
        field("What dies", segments("kill", KILL_TITLES, chosen.kill, off)),
        field("Dies in", select("attempts", list(ATTEMPTS.items()), chosen.attempts, off)),
    ]


def live_choices(state):
    """Return the controls of a live run: letters to arm, killing at once, the pace."""
    letters = segments("arm", {point: point for point in POINTS}, state.armed, spoken="arm the crash at {}")
    armed = f"{state.armed} is armed" if state.armed else "nothing is armed"
    return [
        field("Arm a crash point", letters),
        field("What dies", segments("kill", KILL_TITLES, state.choices.kill)),
        button("eo-kill-now", "kill_now", "✖ Kill now"),
        field("Pace", select("pace", PACES, state.pace)),
        f'<span class="eo-armed-says">{armed}</span>',
    ]
