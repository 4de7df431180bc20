"""The facts beside the tape: the counter, state against positions, and the run's place and duration."""

from html import escape

from ...node.access.handles import register_in
from ...verdict import Run, Verdict
from ..base.checks import given
from ..base.picture import facts_row

WORLDS = {"simulated": "simulated", "spark": "on the cluster", "cluster": "on the cluster"}


def counter_fact(verdict: Verdict) -> tuple[int, int, bool]:
    """Return (found value, right value, whether it is right) of the counter in the database."""
    damage = given(verdict, Verdict).damage
    return damage.counter, damage.expected_counter, damage.counter == damage.expected_counter


def state_fact(verdict: Verdict) -> tuple[str, bool | None]:
    """Return (text, right) about the saved window against the saved positions; None: the pass is not over."""
    run, damage = verdict.run, verdict.damage
    positions = next((entry.value for entry in reversed(run.writes) if entry.part == "positions"), None)
    at = run.job.hour_at(min(positions.values())) if positions else 0
    newest = max((hour for hour, _ in run.state_count), default=0)
    where = f"both at {_hour(at)}" if at == newest else f"state at {_hour(newest)}, positions at {_hour(at)}"
    kept = {"registers" if register_in(entry.part) else entry.part for entry in run.writes}
    if "registers" in kept and not kept & {"positions", "state"}:
        where = "no window and no positions: this handler keeps what it needs in registers"
    odd = damage.state_phrases()
    if verdict.unfinished and not odd and "registers" not in kept and at != newest:
        return run.job.said(f"{where}: in the middle of a pass"), None
    return run.job.said("; ".join([where, *odd])), not odd


def run_fact(verdict: Verdict) -> str:
    """Describe in a few words where the run took place, its duration, and the number of its incarnations.

    Where real processes were killed, it has their pids, and those of the processes that took over.
    """
    run = verdict.run
    where, lives = WORLDS.get(run.world, run.world), len(run.trace.lives())
    if pids := _killed(run):
        return f"killed for real {where}: {pids}, {_duration(run.seconds)}"
    return f"{where} · {_duration(run.seconds)} · {lives} incarnation{'s' * (lives != 1)}"


def _killed(run: Run) -> str:
    """Return the last pids of each node of which a process was killed; "" where no real process was killed."""
    starts = {start.life: start.detail for start in run.trace.lives() if start.detail.get("pid")}
    dead = [death.life for death in run.trace.deaths() if not death.text.startswith("gave up")]
    struck = sorted({starts[life].get("node", 0) for life in dead if life in starts})
    pids = [[f"pid {one['pid']}" for one in starts.values() if one.get("node", 0) == node] for node in struck]
    return "; ".join(" → ".join(["…"][: len(of) > 3] + of[-3:]) for of in pids)


def facts_html(verdict: Verdict, ran: bool = True) -> str:
    """Return the three facts, or without `ran` the two that are right or wrong."""
    found, wanted, right = counter_fact(verdict)
    where, agrees = state_fact(verdict)
    failed = bool(verdict.run.error)  # then the right value is unknown
    should, tick = ("?", _tick(None, "")) if failed else (str(wanted), _tick(right, "✗ wrong"))
    found = verdict.run.outcome.counter if failed else found
    counter = f'<span class="eo-counter"><span class="eo-big">{found}</span> is · {should} should be {tick}</span>'
    in_a_pass = agrees is None and not failed
    state = f"{escape(where)} {'' if in_a_pass else _tick(None if failed else agrees, '≠ wrong', '✓ agree')}"
    last = [("Run", run_html(verdict))] if ran else []
    return facts_row(("Counter in the database", counter), ("State and positions", state), *last)


def run_html(verdict: Verdict) -> str:
    """Return the description of the run, and its replay token."""
    # A live run was struck by hand: its plan is empty, and its token would not replay these strikes.
    by_hand = not verdict.run.plan.faults and verdict.run.trace.deaths()
    tag = f'<span class="eo-tag eo-token">{escape(verdict.run.plan.token)}</span>'
    token = f"<span> · replay {tag}</span>" if not by_hand else ""
    killed = ' class="eo-killed"' if _killed(verdict.run) else ""
    return f"<span{killed}>{escape(run_fact(verdict))}</span>{token}"


def _tick(right: bool | None, bad: str, good: str = "✓") -> str:
    """Return the mark of a fact; None means that it was not judged."""
    if right is None:
        return '<span class="eo-dim">– not judged</span>'
    return f'<span class="eo-good">{good}</span>' if right else f'<b class="eo-bad">{bad}</b>'


def _hour(hour: int) -> str:
    return f"hour {hour}" if hour else "the start"


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 0.1 else f"{seconds:.1f} s"
