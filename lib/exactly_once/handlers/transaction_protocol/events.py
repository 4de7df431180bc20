"""The possible next events on one plain state: of incarnations of a producer, a coordinator, brokers, and faults."""

import functools
import json
from typing import Any, NamedTuple

from ...stores.codec import tuples
from . import inclusion, parts
from .parts import COORDINATOR, DONE, OFFSETS, OUTPUTS, PARTITIONS, PRODUCER

ASKS = INCLUSION, REST = "inclusion", "rest"
NOBODY = 0  # no incarnation has this number
MOST = 200_000  # states that are remembered
WAITS = "ConcurrentTransactions", "UnstableOffsetCommit"
CHANGELOG = OUTPUTS[1]  # an incarnation loads its state from there
LOADS = {"load": ("position", "state"), "load position": ("position",), "load state": ("state",)}
PLACE = {name: place for place, name in enumerate(PARTITIONS)}


class Life(NamedTuple):
    """One incarnation of the producer: its place in its program, and its knowledge.

    `begun` counts its transactions, `position` is the input that is next, `epoch` its epoch, `sent` the number of its
    records in each partition in this epoch, `unsure` whether nobody answered its last request.
    """

    at: str = "init"
    begun: int = 0
    position: int = 0
    epoch: int = -1
    sent: tuple[int, ...] = (0, 0, 0)
    unsure: bool = False


OVER = Life("over")


class State(NamedTuple):
    """Everything there is at one moment, as plain values."""

    protocol: int
    struck: tuple[str, ...]  # the rules that are struck out
    transactions: int  # for each incarnation
    verification: bool = False  # whether leaders ask the coordinator before they append (KIP-890, part 1)
    asks: tuple[str, ...] = ASKS  # the checks of each state
    kept: tuple | None = None  # the coordinator's log
    epoch: int = 0  # the coordinator's own
    marked: tuple[str, ...] = ()  # partitions of which this coordinator knows that the marker is there
    contents: tuple = ((), (), ())  # of the partitions
    lives: tuple[Life, ...] = (Life(), Life("waits"))
    late: tuple = ()  # requests that nobody waits for any more: (words, server, request)
    left: tuple[int, ...] = ()  # faults that may still come, as in FAULTS
    possible: tuple = inclusion.START  # states of the abstract store
    told: tuple[str, ...] = ()  # transactions that an incarnation was told are committed
    why: str = ""  # a view that the abstract store cannot show
    marker_rule: str = "kafka"  # how leaders check markers, as for `Coordinator`


FAULTS = "deaths", "pauses", "late_records", "late_requests", "late_markers", "lost_replies", "timeouts"


class Step(NamedTuple):
    """A request of an incarnation: words, server, request, and the request to the abstract store, or None."""

    words: str
    server: str
    request: tuple
    abstract: tuple | None = None


def program(state):
    """Return the places of an incarnation within a transaction."""
    adds = ("add output-0 output-1",) if state.protocol == 1 else ("add output-0", "add output-1")
    sends = ("send output-0", "send output-1")
    first = (*adds, *sends) if state.protocol == 1 else (adds[0], sends[0], adds[1], sends[1])
    offsets = (f"add {OFFSETS}", f"send {OFFSETS}")
    return (*first, *(offsets[1:] if "offsets outside" in state.struck else offsets), "commit")


def what_can_happen(state: State) -> dict[Any, Any]:
    """Return {name: the state after it} of all events that change anything; events without a fault come first."""
    lives = [_of_life(state, number, life) for number, life in enumerate(state.lives, 1) if life.at != "over"]
    found = functools.reduce(dict.__or__, [*lives[:1], _of_coordinator(state), *lives[1:], _of_network(state)])
    calm = sorted(found, key=lambda name: -sum(found[name].left))
    return {name: _looked_at(found[name]) for name in calm if found[name] != state}


def _of_network(state: State) -> dict[Any, Any]:
    found = {}
    for place, (words, server, request) in enumerate(state.late):
        after = state._replace(late=state.late[:place] + state.late[place + 1 :])
        found[f"the late request arrives: {words}"] = _carried_out(after, server, request)[0]
    if _has(state, "deaths"):
        for name in PARTITIONS:
            died = _carried_out(_spent(state, "deaths"), name, parts.DIES)[0]
            found[f"the broker that leads {_called(name)} dies; the other one leads"] = died
    return found


def _of_life(state: State, number: int, life: Life) -> dict[str, State]:
    found, stalls = {}, ""
    if life.at == "waits":
        life = life._replace(at="init")
        if state.lives[0].at != "over" and _has(state, "pauses"):
            state, stalls = _spent(state, "pauses"), "incarnation 1 is stalled, and "
        elif state.lives[0].at != "over":
            state, stalls = _with_life(state, 1, OVER), "incarnation 1 dies, and "
    if life.at in LOADS:
        left = LOADS[life.at]
        return {
            name: after
            for what in left
            for name, after in _loading(state, number, life, what, [one for one in left if one != what]).items()
        }
    for at in (life.at, *["abort"] * life.unsure):
        step = _step(state, number, life._replace(at=at))
        words = f"{stalls}incarnation {number} {step.words}"
        after, answer = _carried_out(state, step.server, step.request)
        found[_with(words, answer)] = _heard(after, number, life, step, answer)
        unheard = _unheard(after, number, life, step)
        if _has(state, "lost_replies"):
            found[f"{words}; the answer is lost"] = _spent(unheard, "lost_replies")
        if _has(state, "deaths"):
            who = "the coordinator" if step.server == COORDINATOR else "the broker"
            found[f"{words}; {who} dies before it answers"] = _spent(_dies(unheard, step.server), "deaths")
            if at == "commit" and isinstance(answer, int) and "acknowledged early" in state.struck:
                early = _spent(_dies(_heard(state, number, life, step, answer), COORDINATOR), "deaths")
                found[f"{words}; the coordinator answers, and dies before its log has PrepareCommit"] = early
        kind = "late_requests" if step.server == COORDINATOR else "late_records"
        if _has(state, kind):
            asked = (inclusion.INIT, NOBODY) if step.abstract == (inclusion.INIT, number) else step.abstract
            later = _unheard(state, number, life, step._replace(abstract=asked))
            late = (*state.late, (step.words, step.server, step.request))
            found[f"{words}; the request is late"] = _spent(later._replace(late=late), kind)
    return found


def _loading(state: Any, number: Any, life: Any, what: Any, left: Any) -> Any:
    """Return {event: state} of an incarnation that loads its position or state; it begins when nothing is `left`."""
    if what == "position":
        position = parts.position(state.contents[PLACE[OFFSETS]], require_stable=True)
        if position is None:
            return {}  # UnstableOffsetCommit: it asks again
        life, found, words = life._replace(position=position), {"position": position}, f"position {position}"
    else:
        isolation = "read_uncommitted" if "state read uncommitted" in state.struck else "read_committed"
        name = parts.newest(CHANGELOG, state.contents[PLACE[CHANGELOG]], isolation)
        found, words = {"name": name}, f"the state of {name}" if name else "no state"
    after = _with_life(state, number, life._replace(at=f"load {left[0]}") if left else _begins(state, life))
    possible = inclusion.loaded(state.possible, number, **found)
    why = f"incarnation {number} loads {words}, and that is not what was committed last"
    return {f"incarnation {number} loads {words}": _narrowed(after, possible, why)}


def _step(state: State, number: int, life: Life) -> Step:
    """Return the `Step` that an incarnation takes next."""
    what, *names = life.at.split()
    epoch, name = life.epoch, f"{number}.{life.begun}"
    if what == "init":
        return Step("initialises", COORDINATOR, ("init",), (inclusion.INIT, number))
    if what == "renew":
        return Step("asks for a new epoch", COORDINATOR, ("init", PRODUCER, epoch))
    if what == "add":
        return Step(f"adds {' and '.join(map(_called, names))} to {name}", COORDINATOR, ("add", epoch, tuple(names)))
    if what in ("commit", "abort"):
        transaction = name, life.position + 1
        asked = (inclusion.COMMIT, number, transaction) if what == "commit" else None
        return Step(f"asks to {what} {name}", COORDINATOR, ("end", epoch, what), asked)
    place = PLACE[names[0]]
    value = life.position + 1 if names[0] == OFFSETS else name
    words = f"writes position {value} in {name}" if names[0] == OFFSETS else f"writes {name} to {names[0]}"
    if names[0] == OFFSETS and "offsets outside" in state.struck:
        return Step(words, OFFSETS, ("position", value))
    if names[0] == OFFSETS:
        return Step(words, OFFSETS, ("position", value, PRODUCER, epoch))
    return Step(words, names[0], ("append", epoch, life.sent[place], value))


def _heard(state: State, number: int, life: Life, step: Step, answer: Any) -> State:
    """Return the state after an incarnation has heard the answer to its step."""
    if answer in WAITS:  # it asks again; the request has its effect, as when it fences
        return _unheard(state, number, life, step)
    if isinstance(answer, str) and answer != DONE:
        why = f"incarnation {number} is told {answer}, and nobody was let in after it"
        return _narrowed(_with_life(state, number, OVER), inclusion.refused(state.possible, number), why)
    if step.abstract is not None:
        what, _, *transaction = step.abstract
        why = f"incarnation {number} is told that its {what} is done, and another had been let in after it"
        state = _narrowed(state, inclusion.answered(state.possible, step.abstract, DONE), why)
        state = state._replace(told=(*state.told, *(name for name, _ in transaction)))
    what = step.request[0] if step.server == COORDINATOR else "send"
    life = life._replace(unsure=False)
    if what == "init" and life.at == "renew":
        life = _begins(state, life._replace(epoch=answer, sent=(0, 0, 0)))
    elif what == "init":
        life = life._replace(at="load", epoch=answer)
    elif what == "end":
        if answer != life.epoch:
            life = life._replace(epoch=answer, sent=(0, 0, 0))
        aborted = step.request[-1] == "abort"
        if aborted and state.protocol == 1:
            life = life._replace(at="renew")
        else:
            life = _begins(state, life._replace(position=life.position + (not aborted)))
    else:
        if what == "send" and step.request[0] == "append":
            place = PLACE[step.server]
            sent = tuple(count + (one == place) for one, count in enumerate(life.sent))
            life = life._replace(sent=sent)
        places = program(state)
        life = life._replace(at=places[places.index(life.at) + 1])
    return _with_life(state, number, life)


def _begins(state: State, life: Life) -> Life:
    """Return an incarnation that begins its next transaction, if there is one."""
    if life.begun == state.transactions or life.position == state.transactions:
        return OVER
    return life._replace(at=program(state)[0], begun=life.begun + 1)


def _unheard(state: State, number: int, life: Life, step: Step) -> State:
    """Return the state after a request of which the incarnation heard no answer."""
    if step.abstract is not None:
        state = state._replace(possible=inclusion.under_way(state.possible, step.abstract))
    if life.at == "init":
        return _with_life(state, number, life)
    if step.request[-1] == "abort":
        return _with_life(state, number, life._replace(at="abort", unsure=False))
    return _with_life(state, number, life._replace(unsure=life.at.startswith("send")))


def _of_coordinator(state: State) -> dict[Any, Any]:
    found = {}
    due = parts.due(state.kept, state.epoch, state.protocol, state.marker_rule)
    if due is not None:
        wanted = needed(state, due)
        for name in wanted:
            if name in state.marked:
                continue
            words = f"writes the {due.result} marker to {_called(name)}"
            request = _marker(due)
            after, answer = _carried_out(state, name, request)
            if answer == DONE:
                marked = after._replace(marked=tuple(sorted((*state.marked, name))))
                found[f"the coordinator {words}"] = marked
                if _has(state, "lost_replies"):
                    found[f"the coordinator {words}; the answer is lost"] = _spent(after, "lost_replies")
            if _has(state, "late_markers"):
                later = state._replace(late=(*state.late, (f"the coordinator {words}", name, request)))
                found[f"the coordinator {words}; the request is late"] = _spent(later, "late_markers")
        if set(wanted) <= set(state.marked):
            completed = _carried_out(state, COORDINATOR, ("complete", due.epoch, due.coordinator))[0]
            found["the coordinator completes the transaction"] = completed._replace(marked=())
    if _has(state, "deaths") and state.kept:
        found["the coordinator dies; another takes over"] = _spent(_dies(state, COORDINATOR), "deaths")
    if _has(state, "timeouts") and parts.is_open(state.kept):
        found["the transaction times out"] = _spent(_timed_out(state), "timeouts")
    return found


def needed(state: State, due: Any) -> tuple[str, str, str]:
    """Return the partitions that get a marker."""
    return due.partitions[:1] + due.partitions[2:] if "marker forgotten" in state.struck else due.partitions


def _marker(due: Any) -> tuple[Any, ...]:
    return "marker", due.epoch, due.result, due.coordinator, due.rules


def _timed_out(state: State) -> State:
    after = _carried_out(state, COORDINATOR, ("time_out",))[0]
    return after._replace(possible=inclusion.under_way(state.possible, (inclusion.INIT, NOBODY)))


def _carried_out(state: State, server: str, request: tuple[Any, ...]) -> tuple[State, Any]:
    """Return (the state after a server has carried out a request, its answer)."""
    if server == COORDINATOR:
        kept, answer = parts.coordinated(state.kept, state.epoch, state.protocol, state.struck, request)
        return state._replace(kept=kept), answer
    place = PLACE[server]
    if state.verification and request[0] in ("append", "position") and len(request) > 2:
        answer = _verified(state, server, request)
        if answer != DONE:
            return state, answer
    content, answer = parts.asked(server, state.contents[place], request)
    contents = tuple(content if one == place else other for one, other in enumerate(state.contents))
    return state._replace(contents=contents), answer


def _verified(state, name, request):
    """Return the coordinator's answer to the leader of a partition, for the first batch of a transaction there."""
    epoch = request[1] if request[0] == "append" else request[3]
    if parts.is_open_in(name, state.contents[PLACE[name]], epoch):
        return DONE
    asked = "verify", epoch, name
    return parts.coordinated(state.kept, state.epoch, state.protocol, state.struck, asked)[1]


def _dies(state: State, server: str) -> State:
    if server == COORDINATOR:
        return state._replace(epoch=state.epoch + 1, marked=())
    return _carried_out(state, server, parts.DIES)[0]


def shown(state: State) -> tuple[tuple[tuple[Any, ...], ...], int]:
    """Return the readers' view: (the transactions in each output, the committed position)."""
    look = parts.shown_too_early if "last stable offset too high" in state.struck else parts.shown
    outputs = tuple(look(name, state.contents[PLACE[name]]) for name in OUTPUTS)
    return outputs, parts.position(state.contents[PLACE[OFFSETS]])


def _looked_at(state: State) -> State:
    outputs, position = shown(state)
    why = f"readers see {said(outputs, position)}: no transactional store could show this"
    return _narrowed(state, inclusion.seen(state.possible, outputs, position), why)


def _narrowed(state: State, possible: tuple[tuple[Any, ...], ...], why: Any) -> State:
    return state._replace(possible=possible, why=why if state.possible and not possible else state.why)


def wrong(state: State) -> Any:
    """Return the error of a state in a sentence, or None."""
    if INCLUSION in state.asks and not state.possible:
        return state.why
    if REST in state.asks and not parts.is_open(state.kept):
        return _wrong_at_rest(
            state.kept, state.epoch, state.protocol, state.struck, state.contents, state.possible, state.marker_rule
        )
    return None


def said(outputs: tuple[Any, ...], position: int) -> str:
    """Return the readers' view, in words."""
    lists = [f"{', '.join(one) or 'nothing'} in {name}" for name, one in zip(OUTPUTS, outputs, strict=True)]
    return f"{', '.join(lists)}, and position {position}"


def at_rest(state: State) -> State:
    """Return the state when incarnations and late requests do nothing more: the coordinator ends its work."""
    due = parts.due(state.kept, state.epoch, state.protocol, state.marker_rule)
    if due is not None:
        for name in needed(state, due):
            state = _carried_out(state, name, _marker(due))[0]
        state = _carried_out(state, COORDINATOR, ("complete", due.epoch, due.coordinator))[0]
    return state


@functools.lru_cache(MOST)
def _wrong_at_rest(kept, epoch, protocol, struck, contents, possible, marker_rule):
    known = {"kept": kept, "epoch": epoch, "contents": contents, "possible": possible, "marker_rule": marker_rule}
    state = at_rest(State(protocol, struck, 0, **known))
    stuck = [name for name in PARTITIONS if not parts.is_stable(name, state.contents[PLACE[name]])]
    if stuck:
        where = " and ".join(map(_called, stuck))
        return f"a transaction is open in {where} that nobody will ever end: the last stable offset stays where it is"
    outputs, position = shown(state)
    if inclusion.seen(possible, outputs, position, at_rest=True):
        return None
    committed = ", ".join(inclusion.known(possible)) or "nothing"
    return f"when all is done, readers see {said(outputs, position)}, though {committed} had been committed"


def _called(name: str) -> str:
    return "the offsets" if name == OFFSETS else name


def _with(words: str, answer: Any) -> str:
    return words if answer == DONE or isinstance(answer, int) else f"{words}: {answer}"


def _with_life(state: State, number: int, life: Life) -> State:
    lives = tuple(life if one == number else other for one, other in enumerate(state.lives, 1))
    return state._replace(lives=lives)


def _has(state: State, fault: str) -> bool:
    return bool(state.left[FAULTS.index(fault)])


def _spent(state: State, fault: str) -> State:
    left = list(state.left)
    left[FAULTS.index(fault)] -= 1
    return state._replace(left=tuple(left))


_states: dict[str, State] = {}  # by their texts, as far as they are remembered


@functools.lru_cache(MOST)
def text(state: State) -> str:
    """Return a state as text, the same for equal states."""
    written = json.dumps(state, separators=(",", ":"))
    _states[written] = state
    return written


@functools.lru_cache(MOST)
def following(written: str) -> dict[Any, Any]:
    """Return {name of an event: the state after it}, with states as `text`; nothing follows where all is wrong."""
    state = read(written)
    return {} if wrong(state) else {name: text(after) for name, after in what_can_happen(state).items()}


def read(written: str) -> State:
    """Return the `State` of a `text`."""
    if written not in _states:
        if len(_states) > MOST:
            _states.clear()
        found = State(*tuples(json.loads(written)))
        lives = tuple(Life(*life) for life in found.lives)
        possible = tuple((inclusion.Store(*store), pending) for store, pending in found.possible)
        _states[written] = found._replace(lives=lives, possible=possible)
    return _states[written]
