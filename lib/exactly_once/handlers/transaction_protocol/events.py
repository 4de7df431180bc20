"""What can happen next: lives of a producer, a coordinator, brokers, and what goes wrong, on one plain state."""

import functools
import json
from typing import NamedTuple

from . import inclusion, parts
from .parts import DONE, OFFSETS, OUTPUTS, PARTITIONS

ASKS = INCLUSION, REST = "inclusion", "rest"
NOBODY = 0  # no life has this number
MOST = 200_000  # states that are remembered
WAITS = "ConcurrentTransactions", "UnstableOffsetCommit"
PLACE = {name: place for place, name in enumerate(PARTITIONS)}


class Life(NamedTuple):
    """One life of the producer: where it is in its program, and what it knows.

    `begun` counts its transactions, `position` is the input that is next, `epoch` what it was given, `sent` how many
    records it has in each partition in this epoch, `unsure` whether nobody answered its last request.
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
    transactions: int  # for each life
    asks: tuple[str, ...] = ASKS
    kept: tuple | None = None  # the coordinator's log
    epoch: int = 0  # the coordinator's own
    marked: tuple[str, ...] = ()  # partitions of which this coordinator knows that the marker is there
    contents: tuple = ((), (), ())  # of the partitions
    lives: tuple[Life, ...] = (Life(), Life())
    late: tuple = ()  # requests that nobody waits for any more
    left: tuple[int, ...] = ()  # faults that may still come, as in FAULTS
    possible: tuple = inclusion.START  # states of the abstract store


FAULTS = "deaths", "pauses", "late", "lost", "timeouts"


class Step(NamedTuple):
    """A request of a life: in words, whom it asks, what, and what that is for the abstract store, if anything."""

    words: str
    server: str
    request: tuple
    abstract: tuple | None = None


def program(state):
    """Return the places of a life within a transaction."""
    adds = ("add output-0 output-1",) if state.protocol == 1 else ("add output-0", "add output-1")
    sends = ("send output-0", "send output-1")
    first = (*adds, *sends) if state.protocol == 1 else (adds[0], sends[0], adds[1], sends[1])
    offsets = (f"add {OFFSETS}", f"send {OFFSETS}")
    return (*first, *(offsets[1:] if "offsets outside" in state.struck else offsets), "commit")


def what_can_happen(state):
    """Return {name: the state after it} of all events that change anything."""
    found = {}
    for number, life in enumerate(state.lives, 1):
        if life.at != "over":
            found |= _of_life(state, number, life)
    found |= _of_coordinator(state)
    for place, late in enumerate(state.late):
        words, server, request = late
        after = state._replace(late=state.late[:place] + state.late[place + 1 :])
        found[f"the late request arrives: {words}"] = _carried_out(after, server, request)[0]
    if _has(state, "deaths"):
        for name in PARTITIONS:
            died = _carried_out(_spent(state, "deaths"), name, parts.DIES)[0]
            found[f"the broker that leads {name} dies; the other one leads"] = died
    return {name: _looked_at(after) for name, after in found.items() if after != state}


def _of_life(state, number, life):
    found = {}
    if number == 2 and life == Life() and state.lives[0].at != "over":
        if not _has(state, "pauses"):
            state = state._replace(lives=(OVER, life))
            stalls = "life 1 dies, and "
        else:
            state, stalls = _spent(state, "pauses"), "life 1 is stalled, and "
    else:
        stalls = ""
    if life.at == "load":
        return _loading(state, number, life)
    steps = [_step(state, number, life)]
    if life.unsure:
        steps.append(_step(state, number, life._replace(at="abort")))
    for step in steps:
        words = f"{stalls}life {number} {step.words}"
        after, answer = _carried_out(state, step.server, step.request)
        found[_with(words, answer)] = _heard(after, number, life, step, answer)
        unheard = _unheard(after, number, life, step)
        if _has(state, "lost"):
            found[f"{words}; the answer is lost"] = _spent(unheard, "lost")
        if _has(state, "deaths"):
            who = "the coordinator" if step.server == "coordinator" else "the broker"
            found[f"{words}; {who} dies before it answers"] = _spent(_dies(unheard, step.server), "deaths")
        if _has(state, "late"):
            abstract = (inclusion.INIT, NOBODY) if step.abstract == (inclusion.INIT, number) else step.abstract
            later = _unheard(state, number, life, step._replace(abstract=abstract))
            late = (*state.late, (step.words, step.server, step.request))
            found[f"{words}; the request is late"] = _spent(later._replace(late=late), "late")
    if "acknowledged early" in state.struck and life.at == "commit" and _has(state, "deaths"):
        step = steps[0]
        answer = _carried_out(state, step.server, step.request)[1]
        if isinstance(answer, int):
            after = _spent(_dies(_heard(state, number, life, step, answer), "coordinator"), "deaths")
            found[f"life {number} {step.words}: done; the coordinator dies before its log has the decision"] = after
    return found


def _loading(state, number, life):
    content = state.contents[PLACE[OFFSETS]]
    if not parts.is_stable(content):
        return {}  # UnstableOffsetCommit: it asks again
    position = max(parts.shown(content), default=0)
    after = _begins(state, life._replace(position=position))
    possible = inclusion.loaded(state.possible, position)
    return {f"life {number} loads position {position}": _with_life(state, number, after)._replace(possible=possible)}


def _step(state, number, life):
    """Return the `Step` that a life takes next."""
    what, *names = life.at.split()
    epoch, name = life.epoch, f"{number}.{life.begun}"
    if what == "init":
        return Step("initialises", "coordinator", ("init",), (inclusion.INIT, number))
    if what == "renew":
        return Step("asks for a new epoch", "coordinator", ("init", 1, epoch))
    if what == "add":
        return Step(f"adds {' and '.join(names)} to {name}", "coordinator", ("add", epoch, tuple(names)))
    if what in ("commit", "abort"):
        transaction = name, life.position + 1
        asked = (inclusion.COMMIT, number, transaction) if what == "commit" else None
        return Step(f"asks to {what} {name}", "coordinator", ("end", epoch, what), asked)
    place = PLACE[names[0]]
    value = life.position + 1 if names[0] == OFFSETS else name
    words = f"writes {f'position {value} in {name}' if names[0] == OFFSETS else name} to {names[0]}"
    if names[0] == OFFSETS and "offsets outside" in state.struck:
        return Step(words, OFFSETS, ("plain", value))
    return Step(words, names[0], ("append", 1, epoch, life.sent[place], value))


def _heard(state, number, life, step, answer):
    """Return the state after a life has heard the answer to its step."""
    if answer in WAITS:  # it asks again; the request has its effect, as when it fences
        return state if step.abstract is None else _unheard(state, number, life, step)
    if isinstance(answer, str) and answer != DONE:
        found = _with_life(state, number, OVER)
        return found._replace(possible=inclusion.refused(state.possible, number))
    if step.abstract is not None:
        state = state._replace(possible=inclusion.answered(state.possible, step.abstract, DONE))
    what = step.request[0] if step.server == "coordinator" else "send"
    life = life._replace(unsure=False)
    if what == "init":
        life = _begins(state, life._replace(epoch=answer, sent=(0, 0, 0))) if len(step.request) > 1 else (
            life._replace(at="load", epoch=answer)
        )
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


def _begins(state, life):
    """Return a life that begins its next transaction, if there is one."""
    if life.begun == state.transactions or life.position == state.transactions:
        return OVER
    return life._replace(at=program(state)[0], begun=life.begun + 1)


def _unheard(state, number, life, step):
    """Return the state after a request of which the life heard no answer."""
    if step.abstract is not None:
        state = state._replace(possible=inclusion.under_way(state.possible, step.abstract))
    if step.request[-1] == "abort":
        return _with_life(state, number, life._replace(at="abort", unsure=False))
    return _with_life(state, number, life._replace(unsure=life.at.startswith("send")))


def _of_coordinator(state):
    found = {}
    due = parts.due(state.kept, state.epoch, state.protocol)
    if due is not None:
        wanted = needed(state, due)
        for name in wanted:
            if name in state.marked:
                continue
            words = f"writes the {due.result} marker to {name}"
            request = _marker(due)
            after, answer = _carried_out(state, name, request)
            if answer == DONE:
                marked = after._replace(marked=tuple(sorted((*state.marked, name))))
                found[f"the coordinator {words}"] = marked
                if _has(state, "lost"):
                    found[f"the coordinator {words}; the answer is lost"] = _spent(after, "lost")
            if _has(state, "late"):
                late = (*state.late, (f"the coordinator {words}", name, request))
                found[f"the coordinator {words}; the request is late"] = _spent(state._replace(late=late), "late")
        if set(wanted) <= set(state.marked):
            completed = _carried_out(state, "coordinator", ("complete", due.epoch))[0]._replace(marked=())
            found["the coordinator completes the transaction"] = completed
    if _has(state, "deaths") and state.kept:
        found["the coordinator dies; another takes over"] = _spent(_dies(state, "coordinator"), "deaths")
    if _has(state, "timeouts") and parts.is_open(state.kept):
        found["the transaction times out"] = _spent(_timed_out(state), "timeouts")
    return found


def needed(state, due):
    """Return the partitions that get a marker."""
    return due.partitions[:1] + due.partitions[2:] if "marker forgotten" in state.struck else due.partitions


def _marker(due):
    return "marker", due.producer, due.epoch, due.result, due.coordinator, due.rules


def _timed_out(state):
    after = _carried_out(state, "coordinator", ("time_out",))[0]
    return after._replace(possible=inclusion.under_way(state.possible, (inclusion.INIT, NOBODY)))


def _carried_out(state, server, request):
    """Return (the state after a server has carried out a request, its answer)."""
    if server == "coordinator":
        kept, answer = parts.coordinated(state.kept, state.epoch, state.protocol, state.struck, request)
        return state._replace(kept=kept), answer
    place = PLACE[server]
    content, answer = parts.asked(state.contents[place], request)
    contents = tuple(content if one == place else other for one, other in enumerate(state.contents))
    return state._replace(contents=contents), answer


def _dies(state, server):
    if server == "coordinator":
        return state._replace(epoch=state.epoch + 1, marked=())
    return _carried_out(state, server, parts.DIES)[0]


def shown(state):
    """Return what readers see: (transactions in each output, positions), each a tuple."""
    look = parts.shown_too_early if "last stable offset too high" in state.struck else parts.shown
    *outputs, positions = map(look, state.contents)
    return tuple(outputs), positions


def _looked_at(state):
    return state._replace(possible=inclusion.seen(state.possible, *shown(state)))


def wrong(state):
    """Return what is wrong with a state in a sentence, or None."""
    if not state.possible:
        outputs, positions = shown(state)
        return f"no transactional store could show this: {said(outputs, positions)}"
    if REST in state.asks and not _rests_well(state.kept, state.epoch, state.protocol, state.struck, state.contents, state.possible):
        rest = at_rest(state)
        stuck = [name for name, one in zip(PARTITIONS, rest.contents, strict=True) if not parts.is_stable(one)]
        if stuck:
            return f"nobody will ever end what is open in {' and '.join(stuck)}: its last stable offset stays"
        return f"when everything has come to rest, readers see {said(*shown(rest))}, and that is not all"
    return None


def said(outputs, positions):
    """Return what readers see, in words."""
    lists = [f"{', '.join(one) or 'nothing'} in {name}" for name, one in zip(OUTPUTS, outputs, strict=True)]
    return f"{'; '.join(lists)}; position {max(positions, default=0)}"


def at_rest(state):
    """Return the state when lives do nothing more, late requests never arrive, and all else takes its course."""
    if parts.is_open(state.kept):
        state = _timed_out(state)
    due = parts.due(state.kept, state.epoch, state.protocol)
    if due is not None:
        for name in needed(state, due):
            state = _carried_out(state, name, _marker(due))[0]
        state = _carried_out(state, "coordinator", ("complete", due.epoch))[0]
    return state


@functools.lru_cache(100_000)
def _rests_well(kept, epoch, protocol, struck, contents, possible):
    state = at_rest(State(protocol, struck, 0, kept=kept, epoch=epoch, contents=contents, possible=possible))
    return all(map(parts.is_stable, state.contents)) and bool(
        inclusion.seen(state.possible, *shown(state), all_of_it=True)
    )


def _with(words, answer):
    return words if answer == DONE or isinstance(answer, int) else f"{words}: {answer}"


def _with_life(state, number, life):
    lives = tuple(life if one == number else other for one, other in enumerate(state.lives, 1))
    return state._replace(lives=lives)


def _has(state, fault):
    return bool(state.left[FAULTS.index(fault)])


def _spent(state, fault):
    left = list(state.left)
    left[FAULTS.index(fault)] -= 1
    return state._replace(left=tuple(left))


@functools.lru_cache(MOST)
def text(state):
    """Return a state as text, the same for equal states."""
    return json.dumps(state, separators=(",", ":"))


@functools.lru_cache(MOST)
def following(written):
    """Return {name of an event: the state after it}, with states as `text`; nothing follows where all is wrong."""
    state = read(written)
    return {} if wrong(state) else {name: text(after) for name, after in what_can_happen(state).items()}


@functools.lru_cache(MOST)
def read(written):
    """Return the `State` of a `text`."""
    found = State(*_frozen(json.loads(written)))
    lives = tuple(Life(*life) for life in found.lives)
    possible = tuple((inclusion.Store(*store), pending) for store, pending in found.possible)
    return found._replace(lives=lives, possible=possible)


def _frozen(value):
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
