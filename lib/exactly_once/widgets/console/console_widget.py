"""The crash console on the screen: a fragment of HTML for each region, from the states of its models; and clicks."""

import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from html import escape
from typing import Any

from ... import show
from ...faults import POINTS
from ...handlers import NAIVE, ORDERS, STRATEGIES
from ...pipeline import spans
from ...sandbox import pool as sandbox
from ...show.explored import proof_picture
from ...simulate.places import KINDS
from ...verdict.words import MEANING, SIGNS, words
from ..base.controls import button, error_html, field, field_says, number, number_field, segments, select, text_field
from ..base.widget import HtmlWidget
from ..debug.debug_widget import debugger
from .console_model import BOUNDS, GUESSES, ConsoleModel, ProveModel
from .runs import ATTEMPTS, NO_POINT, ORDER, OWN, row_title

OPEN = "Open in the debugger"
NODES = {"1": "handler", "2": "sink"}
WHERE = {"simulated": "simulated", "cluster": "on the cluster"}
KILL_TITLES = {"worker": "Python worker", "executor": "whole executor"}
POINT_TITLES = {point: point for point in POINTS}
ORDER_TITLES = [(",".join(order), " → ".join(order)) for order in ORDERS]
PACES = [(0.0, "as fast as it can"), (0.1, "fast"), (0.25, "to follow"), (0.6, "slow")]
# the width of a step, the gap between two steps, and the extra gap between two hours
STEP, GAP, HOUR_GAP = 1.0, 1.1, 1.6
FAULTS = {kind: f"✖ {kind}" for kind in KINDS} | {"duplicated request": "✖ duplicate"}
VERBS = {
    "crash": "Where can it die?",
    "lost request": "Which request can get lost?",
    "late request": "Which request can be late?",
    "lost reply": "Which reply can get lost?",
    "duplicated request": "Which request can come twice?",
    "pause": "Where can it fall asleep?",
}


def fragments(model: ConsoleModel, proving: ProveModel, width: int = 900) -> dict[str, str]:
    """Return {region: HTML} of a `ConsoleModel` and its `ProveModel`; `width` is the diagram's, in pixels."""
    state, strip = model.state, model.strip()
    return {
        "toolbar": toolbar_html(state, model.own, proving.state.busy),
        **results(model, width),
        "said": said(model),
        "strip": strip_html(strip, state.kind, state.busy != "idle"),
        "livebar": live_html(state),
        "table": table(state),
        "matrix": matrix(model),
        "proof": section_html(proving.state, row_title(state.choices.row, model.own), width),
        "status": status(state),
        "stale": stale(model),
    }


def results(model: ConsoleModel, width: int) -> dict[str, str]:
    """Return the regions that the verdict on the screen fills."""
    state = model.state
    verdict, live = state.verdict, bool(state.live_life)
    if verdict is None:
        return {"code": code(model), "verdict": waiting(state), "tape": "", "facts": "", "ran": "", "diagram": ""}
    return {
        "code": code(model),
        "verdict": show.verdict_html(verdict, deaths=1 if live else 3),
        "tape": f'<p class="eo-h">Output log</p>{show.tape_html(verdict, one_line=live)}',
        "facts": show.facts_html(verdict, ran=False),
        "ran": show.run_html(verdict),
        "diagram": diagram(verdict, live, width),
    }


def stale(model: ConsoleModel) -> str:
    """Describe the verdict on the screen when it does not belong to the choices; otherwise ""."""
    state = model.state
    if state.shown is None or (state.busy == "live" and state.live_life):
        return ""
    if state.busy in ("running", "live"):
        return "This was before the run that is under way."
    shown, chosen = state.shown, state.choices
    if not model.is_shown():
        return f"This is of {row_title(shown.row, model.own)}, not of the handler on the left."
    if (shown.kill, shown.attempts) != (chosen.kill, chosen.attempts):
        times = "once" if shown.attempts == 1 else f"in {shown.attempts} incarnations"
        return f"This is of a kill of the {shown.kill}, {times}."
    return ""


def waiting(state: Any) -> str:
    """Return the text in the verdict's place before the first run."""
    if state.busy != "idle":
        return ""
    return (
        '<div class="eo-says"><strong>What will happen?</strong> Say what a crash at '
        f"{state.choices.point} of hour {state.choices.item} does to output, counter and state: choose a chip, and "
        'it runs. Or pass over it: a click on a letter runs it, too. <span class="eo-dim">Simulated takes '
        "milliseconds; on the cluster a real process is killed.</span></div>"
    )


def said(model: ConsoleModel) -> str:
    """Return the guess and the result, and the chips for the guess on the next run."""
    state = model.state
    if not model.is_shown():
        offer = button("eo-run-simulated", "simulate", "Show me", state.busy != "idle")
        return f'<span class="eo-guesses"><span>You say:</span>{guesses(state.guess, True)}{offer}</span>'
    came, told, most = words(state.verdict), "", 2
    if state.said:
        mark = '<b class="eo-good">✓</b>' if state.said in came else '<b class="eo-bad">✗</b>'
        told, most = f'<span class="eo-said">You said: {chip(state.said)} {mark}</span>', 1
    if came != [state.said]:  # the gravest that fit
        told += f'<span class="eo-did">It did: {" ".join(map(chip, came[:most]))}</span>'
    return f'{told}<span class="eo-guesses"><span>next?</span>{guesses(state.guess)}</span>'


def guesses(guess: Any, in_words: bool = False) -> str:
    """Return the chips for a guess on a run, as signs or `in_words`."""
    return "".join(
        button(
            f"eo-guess eo-guess-{word} eo-is-{word}", "guess", f"{SIGNS[word]}{f' {word}' * in_words}",
            pressed=word == guess, value=word, spoken=f"I say: {word}", tip=f"{word}: {MEANING[word]}",
            look="eo-console-chip",
        )
        for word in GUESSES
    )  # fmt: skip


def code(model: ConsoleModel) -> str:
    """Return the handler's listing with its letters as buttons, marked by the verdict on the screen."""
    state, live = model.state, model.state.busy == "live"
    chosen, which = state.choices, ""
    if chosen.struck:  # of two nodes, which is listed and dies
        which = segments("node", NODES, str(chosen.node), state.busy != "idle", "node {}")
        which = f'<div class="eo-console-nodes">{which}</div>'
    return which + show.code_html(
        chosen.listed(model.own),
        chosen=None if live else chosen.point,
        verdict=state.verdict if model.is_shown() and not live else None,
        armed=state.armed,
        buttons="arm" if live else "point",
        last_line=state.last_line if live else None,
    )


def diagram(verdict: Any, live: bool, width: int) -> str:
    """Return the space–time diagram of the item that matters, with its table folded."""
    run = verdict.run
    item = newest(run) if live else None if at_start(run) else show.item_shown(run)
    picture, stamps = show.quiet_picture(verdict, item, width)
    items = [one for one in ([item] if live else show.items_shown(verdict, item)) if one]
    about = f"Space–time diagram: {spans(items) if items else 'the start'}"
    names = " and ".join(map(str, stamps[-2:]))
    hint = f"{names} {'is a Lamport stamp' if len(stamps) == 1 else 'are Lamport stamps'}. " if stamps else ""
    opens = "" if live else button("eo-open-run", "open_run", OPEN)
    table = "" if live else button("eo-as-table", "table", "As a table")
    return (
        f'<div class="eo-diagram-head"><span class="eo-h">{escape(about)}</span>'
        f'<span class="eo-dim">{hint}</span>{table}{opens}</div>{picture}'
    )


def table(state: Any) -> str:
    """Return the whole trace as a table, if it was asked for."""
    if not state.table or state.verdict is None:
        return ""
    caption = "The whole trace as a table, in the clocks' order"
    return show.folded(show.trace_table(state.verdict.run.trace), caption).replace("<details ", "<details open ", 1)


def at_start(run: Any) -> bool:
    """Tell whether a run's fault struck before it had read anything."""
    struck = [event.item for event in run.trace if event.verb in ("dies", "fault")]
    return bool(struck) and set(struck) == {None}


def newest(run: Any) -> Any:
    """Return the item to draw while a run goes on: the item of the newest death, else the newest."""
    deaths = [death.item for death in run.trace.deaths() if death.item is not None]
    return deaths[-1] if deaths else max((event.item for event in run.trace if event.item is not None), default=None)


def matrix(model: ConsoleModel) -> str:
    """Return the matrix with its own controls: the choice of its world, and the button that fills it."""
    state = model.state
    rows, results = model.matrix()
    grid = show.matrix_html(rows, results, (state.choices.row, state.choices.point), buttons=True)
    off = state.busy != "idle"
    about = f"hour {state.choices.item}, {'whole ' * (state.choices.kill == 'executor')}{state.choices.kill} dies"
    attempts = {1: "once", 2: "twice", 3: "three times"}[state.choices.attempts]
    done, most = state.progress or (len(results), len(rows) * len(POINTS))
    world = segments("world", WHERE, state.world, off, "fill the matrix {}")
    fill = button("eo-fill-matrix", "fill", "Fill the matrix", off)
    going = f"{progress_bar(state.progress)}<span>{done} of {most}</span>" if state.progress else ""
    return (
        f'<div class="eo-matrix-head"><span class="eo-h">Every strategy, every point</span>{world}{fill}{going}</div>'
        f'<div class="eo-matrix-grid eo-scroll">{grid}</div><div class="eo-matrix-side">'
        f"<p>Each cell is one run, {WHERE[state.world]}: {about} {attempts}. "
        f"{done} of {most} done. Fill them yourself, or run all. Shapes and words say the same as the colours. "
        "“– not reached”: no incarnation comes to this point.</p>"
        f"{text_field('Replay a token, then Enter', 'replay', 'eo2-…', state.refused, off=off)}</div>"
    )


def progress_bar(progress: tuple[int, ...]) -> str:
    """Return a bar for (done, total)."""
    done, total = progress
    return f'<progress value="{done}" max="{total}" aria-label="{done} of {total}"></progress>'


def status(state: Any) -> str:
    """Return the line on the work under way, with a bar where the length is known."""
    if state.busy == "idle" and not state.status:
        return ""
    bar = progress_bar(state.progress) if state.progress else ""
    spin = "" if state.busy == "idle" or bar else '<span class="eo-spin" aria-hidden="true"></span>'
    return f"{spin}{bar}<span>{escape(state.status or 'Running …')}</span>"


def toolbar_html(state: Any, own: Any = None, proving: str = "idle") -> str:
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
        + field_says("item", state.refused)  # below the row
    )


def hours(state: Any, off: bool) -> str:
    """Return the field of the hour between its two buttons."""
    typed, sentence = state.refused.get("item", (state.choices.item, ""))
    return (
        f'<span class="eo-segments eo-stepper">{button("eo-earlier", "earlier", "−", off)}'
        f"{number('item', typed, state.job.items, off, 1, sentence, 'Hour of the crash')}"
        f"{button('eo-console-later', 'later', '+', off)}</span>"
    )


def for_real(state: Any, off: bool) -> str:
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


def live_html(state: Any) -> str:
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


STRIKING = {"point": "strike", "item": "hour"}  # on the screen a choice of these starts a run at once


def strip_html(strip: Any, kind: str, off: bool = False) -> str:
    """Return the choice of the fault, the counts, and the track. `strip` is None where none is known."""
    chooser = field("Fault", select("kind", list(FAULTS.items()), kind, off))
    track = (
        track_html(strip) if strip else '<p class="eo-dim">The places of this handler come with its first run.</p>'
    )
    return (
        f'<div class="eo-console-strip-head"><strong>{VERBS[kind]}</strong><span class="eo-dim">drag ✖, or ← →</span>'
        f'<span class="eo-console-counts">{counts_html(strip) if strip else ""}</span></div>'
        f'<div class="eo-strip-body">{chooser}{track}</div>'
    )


def counts_html(strip: Any) -> str:
    """Return the number of places for each result, such as "60 places: ✓ harmless 28 · × doubles 20"."""
    counts = strip.counts()
    left = counts.pop("not run", 0)
    if not counts:
        return f"{len(strip.places)} places"
    told = (f'<b class="{_kind(word)}">{SIGNS[word]} {word} {count}</b>' for word, count in counts.items())
    going = f' · <span class="eo-dim">{left} to go</span>' if left else ""
    return f"{len(strip.places)} places: {' · '.join(told)}{going}"


def track_html(strip: Any) -> str:
    """Return the ticks of a strip in groups by hour, on a line of bars, one for each step."""
    x, steps, groups = 0.0, {}, {}
    for place in strip.places:
        if place.step not in steps:
            group = groups.setdefault(hour_of(strip, place), [x + (HOUR_GAP if steps else 0), 0.0])
            x = group[0] if not group[1] else x
            steps[place.step] = x
            x += STEP + GAP
            group[1] = x - GAP
    whole = max(x - GAP, STEP) + 2 * STEP

    def share(at: float) -> str:
        return f"{(at + STEP) / whole * 100:.2f}%"

    hours = "".join(
        f'<span class="eo-hour" data-hour="{item or 0}" style="left:{share(begin - 0.8)};'
        f'width:{(end - begin + 1.6) / whole * 100:.2f}%"><span>{_hour(item, end - begin, whole)}</span></span>'
        for item, (begin, end) in groups.items()
    )
    bars = "".join(
        f'<i class="eo-console-bar" style="left:{share(at)};width:{STEP / whole * 100:.2f}%"></i>'
        for at in steps.values()
    )
    places = [(place, share(steps[place.step] + _within(place))) for place in strip.places]
    ticks = "".join(tick_html(strip, index, left) for index, (_, left) in enumerate(places))
    letters = "".join(
        f'<span class="eo-letter" data-point="{place.point}" data-hour="{place.point_item}" '
        f'style="left:{left}">{place.point}</span>'
        for place, left in places
        if place.point
    )
    return (
        f'<div class="eo-console-track">{hours}{bars}{ticks}{letters}'
        '<span class="eo-console-kill" role="slider" tabindex="0" data-key="kill-here" aria-valuemin="1" '
        f'aria-valuemax="{len(strip.places)}" aria-label="Where the fault strikes">✖</span>'
        '<span class="eo-kill-says"><span></span><b></b></span></div>'
    )


def hour_of(strip: Any, place: Any) -> int | None:
    """Return the hour in which a place is drawn: a step that finds the next hour counts for the next hour."""
    after = (one for one in strip.places if one.step == place.step and one.kind == "crash after")
    return next((one.point_item for one in after if one.point_item), place.item)


def tick_html(strip: Any, index: int, left: str) -> str:
    """Return the tick of one place. Its words are for the pointer, and for the slider."""
    word = strip.word(index)
    return (
        f'<i class="eo-tick {_kind(word)}" data-place="{index}" '
        f'data-hour="{hour_of(strip, strip.places[index]) or 0}" data-word="{word}" '
        f'data-says="{escape(strip.places[index].words)}" style="left:{left}">{SIGNS[word]}</i>'
    )


def chip(word: str) -> str:
    """Return a word with its sign, in its colour."""
    return f'<span class="eo-console-chip {_kind(word)}" title="{MEANING[word]}">{SIGNS[word]} {word}</span>'


def _kind(word: str) -> str:
    return f"eo-is-{word.replace(' ', '-')}"


def _within(place: Any) -> float:
    if place.kind in ("crash before", "pause"):
        return 0
    return STEP if place.kind in ("crash after", "lost reply") else STEP / 2


def _hour(item: int | None, wide: float, whole: float) -> str:
    if item is None:
        return "start"
    return f"<i>hour </i>{item}" if wide / whole > 0.055 else str(item)


def bounds_html(state: Any) -> str:
    """Return the fields of the bounds, and the button that starts the search."""
    off = state.busy != "idle"
    values = {**asdict(state.bounds), "seconds": state.seconds}
    fields = [
        number_field(title, name, values[name], state.refused, most, off, least)
        for name, (title, least, most) in BOUNDS.items()
    ]
    return (
        f'<div class="eo-bounds" role="group" aria-label="Bounds of the proof">{"".join(fields)}'
        f"{button('eo-prove', 'prove', '∀ Prove', off, primary=True)}</div>"
    )


def search_html(state: Any) -> str:
    """Return the progress of the search: states, states a second, and the time as a bar, since its end is unknown."""
    if state.busy == "idle":
        return f"<span>{escape(state.status)}</span>" if state.status else ""
    pace = f", {state.states / state.elapsed:,.0f} a second" if state.states and state.elapsed else ""
    spent = f"{state.elapsed:.0f} of at most {state.seconds} seconds"
    word = "Stopping …" if state.busy == "stopping" else "Searching …"
    return (
        f'<progress value="{min(state.elapsed, state.seconds):.1f}" max="{state.seconds}" aria-label="{spent}">'
        f'</progress><span class="eo-pace-of-states">{word} {state.states:,} states{pace} · {spent}</span>'
    )


def proof_html(state: Any) -> str:
    """Return the verdict with the explored bounds, and the failing schedule in words."""
    if state.proof is None and state.busy != "idle":
        return ""
    if state.proof is None:
        return (
            '<div class="eo-says"><strong>Does it always hold?</strong> Choose how much may go wrong, then prove: '
            'every schedule within these bounds is tried. <span class="eo-dim">Either all of them end as they '
            "should, or you get the simplest one that does not.</span></div>"
        )
    parts = proof_picture.proof_html, proof_picture.facts, proof_picture.explanation_html
    return "".join(part(state.proof) for part in parts)


def found_html(state: Any, width: int) -> str:
    """Return the schedule drawn: tape, space–time diagram, token, and the button that opens the debugger."""
    found = state.proof.example if state.proof is not None else None
    if found is None:
        return ""
    tape = f'<p class="eo-h">Output log</p>{show.tape_html(found.verdict)}' if found.verdict is not None else ""
    table = show.folded(show.trace_table(found.trace), "The whole trace as a table, in the order of the clocks")
    title = "Space–time diagram: each number is a Lamport stamp"
    diagram = show.spacetime_picture(found, width=width)
    opens = button("eo-open-proof", "open_proof", "Open in the debugger")
    return (
        f'{tape}<div class="eo-console-spacetime"><p class="eo-h">{title}</p>{diagram}{table}</div>'
        f'<div class="eo-open-row">{opens}{proof_picture.token_html(found)}</div>'
    )


def section_html(state: Any, name: str, width: int) -> str:
    """Return all of it as one section of the console; `name` is the handler's name."""
    return (
        f'<p class="eo-h">Every schedule of this handler: {escape(name)}</p>{bounds_html(state)}'
        f'<div class="eo-status" role="status">{search_html(state)}</div>'
        f'<div class="eo-error" role="alert">{error_html(state.error)}</div>'
        f'<div class="eo-proved" role="status" aria-live="polite">{proof_html(state)}</div>'
        f'<div class="eo-found">{found_html(state, width)}</div>'
    )


class CrashConsole(HtmlWidget, page="console/console"):
    """The crash console. `model` is its `ConsoleModel`, `proving` its `ProveModel`; each region is a trait with HTML.

    `opened` is the debugger, once it was asked for.
    """

    def __init__(self, model: ConsoleModel) -> None:
        self._made = time.time()
        self.proving = ProveModel(model.handler, model.state.job)
        model.prepare()
        super().__init__(model)
        self.proving.changed = self.draw
        threading.Thread(target=sandbox.warm_up, name="warm up", daemon=True).start()

    def models(self) -> tuple[ConsoleModel, ProveModel]:
        """Return the models whose states are on the screen."""
        return self.model, self.proving

    def fragments(self) -> dict[str, str]:
        """Return {trait: value} from the states of both models."""
        state = self.model.state
        return fragments(self.model, self.proving, self._width) | {
            "made": self._made,
            "place": self.model.place_in_sight(),
            "shows_place": state.place is not None,
            "replayed": state.replays,
        }

    def openings(self) -> dict[str, Callable[..., Any]]:
        """Return how a debugger is made: of the run on the screen, and of the result of the search."""
        state, proving = self.model.state, self.proving.state
        return {
            "open_run": lambda: debugger(state.verdict, self.model.handler(state.shown)),
            "open_proof": lambda: debugger(proving.proof, proving.handler),
        }

    def on_message(self, do, value):
        """Carry out a request of the page."""
        if do in self.proving.actions():
            self.proving.do(do, value)
        else:
            if do == "stop":
                self.proving.do("stop_proof")
            super().on_message(STRIKING.get(do, do), value)

    def __repr__(self):
        shown = self.model.state.verdict
        return f"Crash console: {shown.sentence if shown else 'nothing was run yet.'}"


def crash_console(handler=None, strategy="at_least_once", job=None):
    """Return the crash console: a handler, its crash places, and the results of the crashes.

    handler: the learner's own handler, a function of one argument, the node; it is offered beside the strategies.
    strategy: the name of the first strategy, if no handler is given.
    job: the `Job` to do; 6 hours with a window of 24 hours and a threshold of 4 numbers by default.
    Raises `BadInput` for a handler that cannot be called with one argument, an unknown strategy, or a job that is
    none. The cluster is started when it is first needed.
    """
    return CrashConsole(ConsoleModel(handler, strategy, job))
