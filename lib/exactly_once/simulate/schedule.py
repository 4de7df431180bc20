"""A schedule: its decisions, each of which says who goes on and what strikes; its lines in words; and its token.

The token holds all decisions in one line, for one handler and one job, with a checksum.
"""

import ast
import hashlib
import inspect
import itertools
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..errors import BadInput, whole
from ..faults import LONGEST, quoted, sealed, unsealed
from ..node.program import Deployment, Program
from ..node.source import Source
from ..pipeline import Job
from ..stores.operations import NOT_HELD
from ..trace import Event, life_name, name_with_node

STEP, CRASH, STEP_AND_CRASH, PAUSE = "s", "c", "e", "p"
LOST_REQUEST, LOST_REPLY, DUPLICATE, OPTION = "q", "r", "d", "o"
LATE_REQUEST, LATE_DUPLICATE, ARRIVAL = "l", "w", "a"
DUPLICATE_AND_CRASH, LATE_REQUEST_AND_CRASH, LATE_DUPLICATE_AND_CRASH = "f", "g", "h"
# The fault that strikes the last step of an incarnation, which dies right after that step.
WITH_CRASH = {
    DUPLICATE_AND_CRASH: DUPLICATE,
    LATE_REQUEST_AND_CRASH: LATE_REQUEST,
    LATE_DUPLICATE_AND_CRASH: LATE_DUPLICATE,
}
AND_CRASH = {STEP: STEP_AND_CRASH} | {fault: kind for kind, fault in WITH_CRASH.items()}
NETWORK = 1 << 16  # the actor of an arrival
MOST_OF_EACH = 15  # nodes, and faults of each kind
# The kind of fault that a decision spends; those of `WITH_CRASH` spend two.
SPENDS = {
    CRASH: "crashes",
    STEP_AND_CRASH: "crashes",
    PAUSE: "pauses",
    LOST_REQUEST: "lost_requests",
    LOST_REPLY: "lost_replies",
    DUPLICATE: "duplicates",
    LATE_REQUEST: "late_requests",
    LATE_DUPLICATE: "duplicates",  # where requests can be late at all, the second copy can be, too
}
ENDS = {
    CRASH: "dies before it",
    STEP_AND_CRASH: "dies right after it",
    PAUSE: "falls asleep before it, and the node's next incarnation begins",
    LOST_REQUEST: "its request is lost",
    LOST_REPLY: "it is done, but its reply is lost",
    DUPLICATE: "its request arrives twice",
    LATE_REQUEST: "its request is late, and the outcome unknown",
    LATE_DUPLICATE: "it is done, and a second copy of its request is still under way",
}

ENDS |= {kind: f"{ENDS[fault]}; then it dies" for kind, fault in WITH_CRASH.items()}
LATE = {LATE_REQUEST: "", LATE_DUPLICATE: "again", LATE_REQUEST_AND_CRASH: "", LATE_DUPLICATE_AND_CRASH: "again"}
QUIET = {"load", "read", "crash point"}  # steps that write nothing, and decide nothing
FORMAT = "ep2"
WORLD = "simulated"
ARRIVALS: dict[Any, str] = {"together": "t", "as it comes": "c"}
TIMES: dict[Any, str] = {"event": "", "processing": "p"}
MOST_DECISIONS = 100_000
_NUMBER = "([0-9]{1,9})"
_CHOICE = re.compile(rf"{_NUMBER}([a-z])([0-9]{{0,9}})(?:x{_NUMBER})?")
_JOB = rf"i{_NUMBER}d{_NUMBER}h([0-9]{{1,99}})([tc])(p?)"  # a threshold may be any number
_TOKEN = re.compile(rf"{FORMAT}-(\w+)-([0-9a-f]{{10}})-n{_NUMBER}(?:{_JOB}|x)-([\w.]*)-(\w{{4}})")


class Decision(NamedTuple):
    """A decision of the world: the actor that takes the next step, and the fault that strikes it.

    Actors are the nodes, from 0, and after them the incarnations that sleep or woke up as zombies, in the order of
    their pauses. `kind` is "s" (the step is taken), "c" (the incarnation dies before it), "e" (the step is taken, and
    the incarnation dies of it), "p" (the incarnation falls asleep before it, and the node's next incarnation begins),
    "q" (the request is lost), "r" (the reply is lost), "d" (the request arrives twice) or "o" (a choice; `option` is
    its number). Where a message of any sender may be received, `option` is the sender's number. "l" leaves the
    request to the network, and "w" a second copy of it; "a" is the arrival of the request that was left there as
    number `option`, counted from 0 (`actor` then names the sender whose message a late receive takes, or is 0). "f",
    "g" and "h" are "d", "l" and "w" at the last step of an incarnation, which dies right after it.
    """

    actor: int
    kind: str
    option: int = 0


def spent(kind: str) -> list[str]:
    """Return the kinds of faults that a decision of this kind spends: none, one or two."""
    return [SPENDS[one] for one in ((WITH_CRASH[kind], CRASH) if kind in WITH_CRASH else (kind,)) if one in SPENDS]


def explain(replay: Any, loop: int = 0) -> tuple[str, ...]:
    """Return the lines that explain a schedule: runs of steps of one incarnation, faults, and waits at its end.

    The last `loop` steps are said to go on for ever.
    """
    nodes = {event.life: event.detail.get("node", 0) for event in replay.run.trace.lives()}
    texts, quiet = texts_of(replay.run.trace)
    refusals = {event.message for event in replay.run.trace if (event.verb, event.text) == ("cas", "refused")}
    lines: list[str] = []
    who, done, under_way = None, [], []

    def name(life: Any) -> str:
        return name_with_node(life, nodes).capitalize()

    def close() -> None:
        if done:
            lines.append(f"{name(who)}: {_shortened(done).removesuffix('.')}.")  # an error is a sentence already
            done.clear()

    decisions = zip(replay.schedule, replay.steps, replay.texts, strict=True)
    for number, (decision, (life, step), intended) in enumerate(decisions):
        if loop and number == len(replay.schedule) - loop:
            close()
            lines.append("From here on it loops:")
        if decision.kind == ARRIVAL:
            close()
            refused = under_way[decision.option] in refusals
            lines.append(f"The late request arrives: {intended}{': refused' if refused else ''}.")
            continue
        if life != who:
            close()
            who = life
        text = texts.get((life, step), intended)
        if decision.kind in LATE:
            under_way.append(f"{life}.{step}>{LATE[decision.kind]}")
            text = text if LATE[decision.kind] else intended
        if decision.kind == OPTION and number and replay.steps[number - 1] == (life, step):
            continue  # which stream's reading comes next: the read says it
        if decision.kind in (STEP, OPTION):
            done.append((text, (life, step) in quiet))
        else:
            close()
            ends = ENDS[decision.kind]
            if decision.kind == CRASH and text.startswith("crash point "):
                ends = "dies there"
            elif decision.kind == LOST_REPLY and text.endswith(": refused"):
                ends = "its reply is lost"
            lines.append(f"{name(life)}: {text}: {ends}.")
    close()
    if loop:
        lines.append("Now everything is as it was there, but for version numbers; and so on, for ever.")
    lines += [f"{name(event.life)}: waits to {wish(event, holder)}." for _, event, holder in replay.waiting]
    return tuple(lines)


def wish(event: Event, holder: Any) -> str:
    """Return the action that an incarnation waits for."""
    if event.verb == "receive":
        return event.text.replace("receive", "receive a message")
    if isinstance(holder, str):
        return f"{event.text}, and the prepared transaction {holder!r} holds that row"
    if "asked" in event.detail:
        return f"{event.text}, once the transaction of node {holder + 1} has ended"
    return event.text if holder is None else f"{event.text}, which node {holder + 1} holds"


def texts_of(trace: Any) -> tuple[dict[tuple[int, int], str], set[tuple[int, int]]]:
    """Return {(life, step): action and value read, in words}, and the steps that wrote nothing."""
    texts, verbs = {}, {}
    for event in trace:
        key = event.life, event.step
        if event.process != life_name(event.life):
            tells = event.verb in ("write", "add") or (event.verb, event.text) == ("cas", "refused")
            tells = tells and f" {event.text}" not in texts.get(key, "")  # a request may have said the value itself
            if tells and event.kind == "receive" and not event.message.endswith("again"):
                texts[key] = f"{texts[key]}: {event.text}"
        elif event.verb not in ("start", "reply", "fault", "wakes", "dies", "ends"):
            texts.setdefault(key, event.text)
            verbs.setdefault(key, event.verb)
        elif event.verb == "reply" and "sender" in event.detail:
            texts[key] = f"receive {event.text}"
        elif event.verb == "reply" and (verbs[key] in QUIET or event.text == NOT_HELD):
            texts[key] = f"{texts[key]}: {event.text}" if event.detail["part"] != "input" else texts[key]
    return texts, {key for key, verb in verbs.items() if verb in QUIET}


def _shortened(done: list[tuple[str, bool]]) -> str:
    """Return steps in a line: all steps that write or decide, and the first and the last of the other steps."""
    groups = []  # (text, whether it writes nothing, how many equal ones in a row)
    for (text, quiet), equal in itertools.groupby(done):
        count = len(list(equal))
        groups.append((text if count == 1 else f"{text} ({count} times)", quiet, count))
    said, middle = [], groups[2:-2]
    for quiet, found in itertools.groupby(middle, key=lambda group: group[1]):
        some = list(found)
        steps = sum(count for _, _, count in some)
        said += [f"… {steps} steps that write nothing …"] if quiet and len(some) > 2 else [text for text, *_ in some]
    ends = [text for text, *_ in groups[:2]], [text for text, *_ in groups[max(2, len(groups) - 2) :]]
    return "; ".join([*ends[0], *said, *ends[1]])


def fingerprint(handlers: Iterable[Any]) -> str:
    """Return ten characters that stand for the syntax trees of handlers; layout and comments do not count.

    Of a `Program` its source, output and name count as well.
    """
    return hashlib.sha256("\n".join(map(_written, handlers)).encode()).hexdigest()[:10]


def _written(handler: Any) -> str:
    if isinstance(handler, Deployment):
        beside = "" if handler.beside is None else _tree(handler.beside)
        return f"{_tree(handler.handler)} {beside} {handler.protocol} {handler.fencing}"
    if isinstance(handler, Program):
        machine = f" {handler.machine} {handler.feeds}" if handler.machine else ""
        checkpoint = f" {handler.checkpoint}" if handler.checkpoint else ""
        return f"{_tree(handler.handler)} {handler.source} {handler.output} {handler.name}{machine}{checkpoint}"
    return _tree(handler)


def _tree(handler: Any) -> str:
    function = inspect.unwrap(getattr(handler, "func", handler))
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.dump(ast.parse(source))
    except (OSError, TypeError, SyntaxError, IndentationError):  # a console's function, or half an expression
        code = getattr(function, "__code__", None)
        tree = repr((code.co_names, code.co_varnames, code.co_code)) if code else repr(type(function))
    closure = getattr(function, "__closure__", None) or ()
    return tree + "".join(_held_in(cell) for cell in closure)


def _held_in(cell: Any) -> str:
    try:
        value = cell.cell_contents
    except ValueError:
        return ""
    if inspect.isfunction(value):
        return _tree(value) if value.__closure__ is None else value.__qualname__
    return repr(value) if isinstance(value, (int, str, float, tuple, type(None))) else type(value).__name__


def write_token(handlers: Sequence[Any], job: Source, nodes: int, schedule: Iterable[Decision]) -> str:
    """Return the token of a schedule."""
    body = ".".join(_runs(schedule))
    settings = f"n{nodes}x"  # programs say themselves where their inputs come from
    if isinstance(job, Job) and not any(isinstance(handler, Program) for handler in handlers):
        settings = f"n{nodes}i{job.items}d{job.duration}h{job.threshold}{ARRIVALS[job.arrival]}{TIMES[job.time]}"
    return sealed(f"{FORMAT}-{WORLD}-{fingerprint(handlers)}-{settings}-{body}")


def read_token(token: str, handlers: Sequence[Any]) -> tuple[Job | None, int, list[Decision]]:
    """Return (job, nodes, schedule) of a token; the job is None where programs have sources of their own.

    Raises `BadInput` for a mistyped one, or one of another handler.
    """
    text = str(token).strip()
    if len(text) > LONGEST:
        raise BadInput(f"The token has {len(text):,} characters; none has more than {LONGEST:,}. Copy it again.")
    if not text.startswith(FORMAT + "-"):
        raise BadInput(f"{quoted(text)} is no token of a schedule of this version, which begins with {FORMAT}-.")
    found = _TOKEN.fullmatch(text)
    if not found or unsealed(text) is None:
        raise BadInput(f"The token {quoted(text)} was changed or cut: its last part does not fit. Copy it again.")
    world, mark, nodes, items, duration, threshold, arrival, time, body, _ = found.groups()
    if world != WORLD:
        raise BadInput(f"The token {quoted(text)} is for the world {world!r}; this is the {WORLD} world.")
    if mark != fingerprint(handlers):
        raise BadInput(f"The token {quoted(text)} is for another handler, or this one was changed; prove it again.")
    arrivals, times = ({short: long for long, short in words.items()} for words in (ARRIVALS, TIMES))
    job = Job(int(items), int(duration), int(threshold), arrivals[arrival], times[time]) if items else None
    nodes = whole("the number of nodes of a token", int(nodes), least=1, most=MOST_OF_EACH)
    decisions = itertools.chain.from_iterable(map(_decisions, body.split(".") if body else ()))
    schedule = list(itertools.islice(decisions, MOST_DECISIONS + 1))
    if len(schedule) > MOST_DECISIONS:
        raise BadInput(
            f"The token {quoted(text)} says more than {MOST_DECISIONS:,} decisions. Prove the handler again."
        )
    for kind, number in Counter(itertools.chain.from_iterable(spent(one.kind) for one in schedule)).items():
        whole(f"the number of {kind.replace('_', ' ')} in a token", number, most=MOST_OF_EACH)
    return job, nodes, schedule


def _runs(schedule: Iterable[Decision]) -> Iterator[str]:
    for decision, group in itertools.groupby(schedule):
        number = sum(1 for _ in group)
        option = decision.option if decision.option or decision.kind in (OPTION, ARRIVAL) else ""
        yield f"{decision.actor}{decision.kind}{option}{f'x{number}' if number > 1 else ''}"


def _decisions(text: str) -> list[Decision]:
    found = _CHOICE.fullmatch(text)
    if (
        not found
        or found[2] not in {STEP, OPTION, ARRIVAL, *SPENDS, *WITH_CRASH}
        or int(found[4] or 1) > MOST_DECISIONS
    ):
        raise BadInput(f"{text!r} is no decision of a schedule; two steps of the first node read '0sx2'.")
    return [Decision(int(found[1]), found[2], int(found[3] or 0))] * int(found[4] or 1)
