"""The crash console's row of controls, and the controls of a live run."""

from html import escape

from ...faults import POINTS
from ...handlers import NAIVE, ORDERS, STRATEGIES
from ..base.controls import button, field, number, segments, select
from .choices import ATTEMPTS, NO_POINT, ORDER, OWN, row_title

KILL_TITLES = {"worker": "Python worker", "executor": "whole executor"}
POINT_TITLES = {point: point for point in POINTS}
ORDER_TITLES = [(",".join(order), " → ".join(order)) for order in ORDERS]
PACES = [(0.0, "as fast as it can"), (0.1, "fast"), (0.25, "to follow"), (0.6, "slow")]


def toolbar_html(state, own=None, proving="idle"):
    """Return the row of controls for a `State` of the console's model; `proving` is the `busy` of its search."""
    chosen, off = state.choices, state.busy != "idle"
    short = {"structured_streaming": "streaming query"}  # no wider than the others
    strategies = [(name, short.get(name, row_title(name).removesuffix(" output"))) for name in STRATEGIES]
    strategies.insert(len(NAIVE), (ORDER, "any order …"))  # repairs come last
    if own:
        strategies.insert(0, (OWN, row_title(OWN, own)))
    orders = field("Order of the writes", select("order", ORDER_TITLES, ",".join(chosen.order), off))
    letters = segments("point", {NO_POINT: "–"} | POINT_TITLES, chosen.point, off, "crash at {}")
    letters = letters.replace('aria-label="crash at –"', 'aria-label="no crash"')
    runs = off or proving != "idle"
    stopping = state.busy == "stopping" or proving == "stopping"
    return (
        field("Strategy", select("strategy", strategies, chosen.strategy, off))
        + (orders if chosen.strategy == ORDER else "")
        + field("Crash point", letters)
        + field("Hour", hours(state, off))
        + field("On the cluster: kill " + chosen.kill, for_real(state, off))
        + button("eo-stop", "stop", "■", not runs or stopping, spoken="Stop", tip="Stop what runs")
        + wrong_hour(state)
    )


def hours(state, off):
    """Return the field of the hour between its two buttons."""
    typed, sentence = state.refused.get("item", (state.choices.item, ""))
    return (
        f'<span class="eo-segments eo-stepper">{button("eo-earlier", "earlier", "−", off)}'
        f"{number('item', typed, state.job.items, off, 1, sentence, 'Hour of the crash')}"
        f"{button('eo-console-later', 'later', '+', off)}</span>"
    )


def wrong_hour(state):
    """Return the sentence about an hour that was refused; it stands below the row."""
    says = escape(state.refused["item"][1]) if "item" in state.refused else ""
    return f'<p class="eo-field-says" role="alert">{says}</p>' if says else ""


def for_real(state, off):
    """Return the button that runs the choices on the cluster, with the killed process in its menu."""
    chosen = state.choices
    menu = field("What dies", segments("kill", KILL_TITLES, chosen.kill, off))
    menu += field("Dies in", select("attempts", ATTEMPTS.items(), chosen.attempts, off))
    return (
        '<span class="eo-segments eo-real">'
        f"{button('eo-run-cluster', 'cluster', 'Now for real ▶', off, primary=True)}"
        '<details class="eo-menu"><summary data-key="menu" aria-label="What dies, and how often">▾</summary>'
        f'<div class="eo-menu-body">{menu}</div></details></span>'
    )


def live_html(state):
    """Return the controls of a live run: starting it, letters to arm, killing at once, the pace."""
    live = state.busy == "live"
    going = live and state.live_life > 0
    letters = segments("arm", POINT_TITLES, state.armed, not going, "arm the crash at {}")
    armed = f"{state.armed} is armed" if state.armed else "nothing is armed"
    begin = button("eo-live", "live", "● Start a live run", state.busy != "idle", pressed=False)
    end = button("eo-live", "stop", "■ End the live run", pressed=True, key="live")
    return (
        (end if live else begin)
        + field("Arm a crash point", letters)
        + button("eo-kill-now", "kill_now", "✖ Kill now", not going)
        + field("Pace", select("pace", PACES, state.pace))
        + f'<span class="eo-armed-says">{armed if going else ""}</span>'
    )
