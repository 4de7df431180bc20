"""The crash console's controls as HTML: real buttons, lists and fields, so that the keyboard works by itself."""

from html import escape

from ..faults import POINTS
from ..handlers import ORDERS, STRATEGIES
from .choices import ATTEMPTS, NO_POINT, ORDER, OWN, row_title

KILL_TITLES = {"worker": "Python worker", "executor": "whole executor"}
PACES = {0.0: "as fast as it can", 0.15: "fast", 0.4: "to follow", 1.0: "slow"}


def toolbar_html(state, own=None):
    """Return the row of choices and the row of actions for a `State` of the console's model."""
    chosen, off = state.choices, state.busy != "idle"
    live = state.busy == "live"
    strategies = [(name, row_title(name)) for name in STRATEGIES] + [(ORDER, "an order of the writes …")]
    if own:
        strategies.insert(0, (OWN, row_title(OWN, own)))
    choices = [
        _field("Strategy", _select("strategy", strategies, chosen.strategy, off)),
        _field("Order of the writes", _select("order", _orders(), ",".join(chosen.order), off)) if chosen.strategy == ORDER else "",
        _field("Crash point", _points(chosen.point, off)) if not live else "",
        _field("At hour", _item(chosen.item, state.job.items, off)) if not live else "",
        _field("What dies", _kills(chosen.kill, off and not live)),
        _field("Dies in", _select("attempts", list(ATTEMPTS.items()), chosen.attempts, off)) if not live else "",
    ]
    actions = [
        _button("eo-run-simulated", "simulate", "Run simulated", off, primary=True),
        _button("eo-run-cluster", "cluster", "▶ Run on the cluster", off, primary=True),
        _button("eo-live", "live", "● Live", off, pressed=live),
        _button("eo-stop", "stop", "■ Stop", state.busy in ("idle", "stopping")),
    ]
    return (
        f'<div class="eo-choices" role="group" aria-label="What to run">{"".join(choices)}</div>'
        f'<div class="eo-actions" role="group" aria-label="Run">{"".join(actions)}</div>'
        + (live_html(state) if live else "")
    )


def live_html(state):
    """Return the controls of a live run: letters to arm, killing at once, the pace."""
    letters = "".join(
        f'<button type="button" class="eo-seg eo-arm-{point}" data-do="arm" data-value="{point}" data-key="arm-{point}" '
        f'aria-pressed="{_bool(point == state.armed)}" aria-label="Arm the crash at {point}">{point}</button>'
        for point in POINTS
    )
    armed = f"{state.armed} is armed: the next life to get there dies" if state.armed else "nothing is armed"
    paces = [(value, title) for value, title in PACES.items()]
    return (
        '<div class="eo-livebar" role="group" aria-label="Live run">'
        f'{_field("Arm a crash point", f"""<span class="eo-segments" data-arrows>{letters}</span>""")}'
        f'{_button("eo-kill-now", "kill_now", "✖ Kill now", False)}'
        f'{_field("Pace", _select("pace", paces, state.pace, False))}'
        f'<span class="eo-armed-says">{armed}</span></div>'
    )


def _field(title, control):
    return f'<label class="eo-field"><span>{escape(title)}</span>{control}</label>' if "<select" in control or "<input" in control else (
        f'<div class="eo-field" role="group" aria-label="{escape(title)}"><span>{escape(title)}</span>{control}</div>'
    )


def _select(name, options, value, off):
    inside = "".join(
        f'<option value="{escape(str(key))}"{" selected" if key == value else ""}>{escape(str(title))}</option>'
        for key, title in options
    )
    return f'<select class="eo-{name}" data-do="{name}" data-key="{name}"{_off(off)}>{inside}</select>'


def _orders():
    return [(",".join(order), " → ".join(order)) for order in ORDERS]


def _points(chosen, off):
    titles = {NO_POINT: "none"} | {point: point for point in POINTS}
    return f'<span class="eo-segments" data-arrows>{"".join(_segment("point", key, title, key == chosen, off) for key, title in titles.items())}</span>'


def _kills(chosen, off):
    inside = "".join(_segment("kill", key, title, key == chosen, off) for key, title in KILL_TITLES.items())
    return f'<span class="eo-segments" data-arrows>{inside}</span>'


def _segment(name, key, title, pressed, off):
    return (
        f'<button type="button" class="eo-seg eo-{name}-{key}" data-do="{name}" data-value="{key}" data-key="{name}-{key}" '
        f'aria-pressed="{_bool(pressed)}"{_off(off)}>{escape(title)}</button>'
    )


def _item(value, most, off):
    limit = f' max="{most}"' if most else ""
    return f'<input class="eo-item" type="number" min="1"{limit} value="{value}" data-do="item" data-key="item"{_off(off)}>'


def _button(css, do, title, off, primary=False, pressed=None):
    kind = " eo-primary" if primary else ""
    state = "" if pressed is None else f' aria-pressed="{_bool(pressed)}"'
    return f'<button type="button" class="eo-button {css}{kind}" data-do="{do}" data-key="{do}"{state}{_off(off)}>{escape(title)}</button>'


def _off(off):
    """A control that is off keeps the keyboard's focus, which `disabled` would take away."""
    return ' aria-disabled="true"' if off else ""


def _bool(value):
    return "true" if value else "false"
