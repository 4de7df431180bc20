"""The transaction timeline without its screen: the steps done and to be done, the resulting world, and in one
sentence the newest important event there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput, one_of
from ...log.transactions.producer import ABORTABLE_ERROR, IN_TRANSACTION
from ...log.transactions.rules import RESULTS
from ..base.controls import listed
from ..base.model import typed_number
from ..player.player_model import WayModel, WayState
from .timeline_steps import CODES, OUTPUT, OWN, PARTITION, PRODUCER, PRODUCERS, STORIES, TIMEOUT_S
from .timeline_world import World

MOST_STEPS = 60
PROTOCOLS = {"classic": 1, "KIP-890": 2}
GOOD, BAD, PLAIN = "good", "bad", "none"
FENCED = ("INVALID_PRODUCER_EPOCH", "PRODUCER_FENCED")
FIRST = (
    "Nothing is open. Two producers, each with a transactional id of its own, write to one partition. Begin a "
    "transaction, or choose a story and guess before each step."
)


@dataclass(frozen=True, kw_only=True)
class State(WayState):
    """The steps are codes; `story` is the story of the remaining steps, if there is one, `position` the `World`."""

    story: str = OWN
    protocol: int = 1


class TimelineModel(WayModel):
    """Two transactional producers, and the steps on them, in order; the learner can go back and forth in them.

    `story` is the name of a story, or "own". Raises `BadInput` for anything else.
    """

    what = "The timeline"

    def __init__(self, story: Any = OWN) -> None:
        super().__init__(State())
        self.begin(story)

    def actions(self) -> dict[str, Callable[..., Any]]:
        """Return the actions that `do` knows."""
        return {
            "step": self.step,
            "go": lambda value: self.go(typed_number("go", "The step", value, 0, len(self.state.way))),
            "story": self.begin,
            "protocol": self.protocol,
            "clear": lambda _: self.begin(OWN),
        }

    @property
    def world(self) -> World:
        """The `World` after the done steps."""
        return self.state.position

    def step(self, code: str) -> None:
        """Do one step, "1s" for P1's send, "t" for ten seconds; any other step than the story's next one drops the
        rest.
        """
        what, owner = meaning(code)
        state = self.state
        if state.at >= MOST_STEPS:
            raise BadInput(f"{MOST_STEPS} steps are done, as many as there may be. Clear, or go back some.")
        if why := self.world.can(what, owner):
            raise BadInput(why)
        leaves = state.at < len(state.way) and state.way[state.at] != code
        self.take((*state.way[: state.at], code), **({"story": OWN} if leaves else {}))

    def begin(self, story: Any = OWN) -> None:
        """Begin a story, or clear everything."""
        one_of("the story", story, [OWN, *STORIES])
        told = STORIES.get(story)
        steps = tuple(code for code, _ in told.steps) if told else ()
        self._show(story, told.protocol if told else self.state.protocol, steps, 0)

    def protocol(self, value: Any) -> None:
        """Play the same steps under the other protocol: "classic" or "KIP-890"."""
        number = PROTOCOLS[one_of("The protocol", value, PROTOCOLS)]
        self._show(self.state.story, number, self.state.way, self.state.at)

    @property
    def words(self) -> str:
        """The sentence that announces the next step of the story, or ""."""
        story = STORIES.get(self.state.story)
        return story.steps[self.state.at][1] if story and self.state.at < len(story.steps) else ""

    def position_of(self, schedule: tuple[Any, ...]) -> World:
        """Return a world in which these steps were done; one that is impossible there, under another protocol, is
        noted and passed over.
        """
        world = World(self.state.protocol)
        for code in schedule:
            world.do(*meaning(code))
        return world

    def restore(self, moment: State) -> None:
        """Bring back the state before an action that failed."""
        if self.state != moment:
            self._positions = {}
            self.update(**vars(moment))

    def _show(self, story: str, protocol: int, steps: tuple[Any, ...], at: int) -> None:
        self._positions = {}  # they may have been of the other protocol
        self.update(protocol=protocol)
        self.stand(steps, at, story=story)


def meaning(code: Any) -> Any:
    """Return (what, producer or None) of a code. Raises `BadInput` for an unknown code."""
    if code not in CODES:
        letters = ", ".join(one.letter for one in PRODUCER.values())
        raise BadInput(f"{str(code)[:20]!r} is no step of the timeline; P1’s are 1 and a letter of {letters}.")
    return CODES[code]


def verdict(world: World) -> tuple[str, str, str]:
    """Return the most important event, as (kind, headline, the rest)."""
    rows, spans = world.partition()
    left = {owner: f"{at - world.now:.0f} s" for owner, at in world.forecast().items()}
    now = world.events[world.mark :]
    kind, words = (
        _wrong(rows)
        or _refusal(world, now)
        or _hanging(world, rows, spans)
        or _blocked(world, rows, spans, left)
        or _undelivered(world)
        or _ended(world, rows)
        or _down(world)
        or _stuck(world, left)
        or _open(world, rows, left)
        or _last(world, now)
        or (PLAIN, FIRST)
    )
    headline, _, rest = words.partition(". ")
    return kind, f"{headline}.", rest


def hanging(world: World, spans: list[Any]) -> Any:
    """Return the span that no coordinator will end, or None: an operator would find it (KIP-664)."""
    found = {one.start for one in world.log.find_hanging(idle_ms=0) if one.topic == OUTPUT}
    return next((span for span in spans if span.first in found), None)


def waiting(rows: list[Any]) -> list[Any]:
    """Return the names of records that are committed and not read yet."""
    return [row.name for row in rows if row.ended == "commit" and not row.seen]


def twice(names: list[Any]) -> list[Any]:
    """Return the names of records that are there more than once, each name once."""
    return [name for place, name in enumerate(names) if names[:place].count(name) == 1]


def _all(names: list[str], one: str, many: str) -> str:
    """Return names with their verb, in the form for `one` or for `many`."""
    return f"{listed(names)} {one if len(names) == 1 else many}"


def _them(names: list[str]) -> str:
    return "it" if len(names) == 1 else "them"


def _wrong(rows: list[Any]) -> Any:
    bad = [row.name for row in rows if row.seen and row.meant == "abort"]
    if not bad:
        return None
    return BAD, (
        f"{_all(bad, 'is', 'are')} read, although aborted. The late record opened a transaction in the partition "
        "after its own had been aborted. The next transaction of the same producer id joined it, and its commit "
        "marker committed both. Under KIP-890 each transaction has an epoch of its own."
    )


def _refusal(world: World, now: list[Any]) -> Any:
    """Return the sentence on the last refusal, unless it was answered soon after."""
    found = next((event for event in reversed(now) if event.error), None)
    if found is None:
        return None
    owner, what = found.who[:2], found.what
    if found.error in FENCED and owner in PRODUCERS:
        return BAD, _fenced(world, found, owner)
    if found.who == PARTITION:
        why = "The partition has seen a newer epoch."
        if world.protocol == 2:
            why = "Under KIP-890 each end raises the epoch, and the leader asks the coordinator before it writes."
        return GOOD, (
            f"The late {what.removeprefix('the late ').split()[0]} is refused, and nothing hangs. {found.error}: it "
            f"carries the epoch of a transaction that has ended. {why}"
        )
    if found.error == "CONCURRENT_TRANSACTIONS":
        if any(event.who == found.who for event in now[now.index(found) + 1 :]):
            return None
        return PLAIN, f"{owner} has to wait: CONCURRENT_TRANSACTIONS. It {what}. It asks again until it is."
    if found.error == "INVALID_TXN_STATE":
        return BAD, (
            f"{owner} is refused: INVALID_TXN_STATE. The coordinator has aborted its transaction, so there is "
            "nothing to commit. In Java this is fatal: the producer has to be closed, and a new incarnation of it "
            "begins at the committed position."
        )
    if found.error == "left out":
        return PLAIN, f"A step of the story is not possible here. {found.who} {what}"
    return BAD, f"{found.who} gets no further: {found.error}. It {what}. Nothing is written."


def _fenced(world: World, found: Any, owner: str) -> str:
    mine = [one for one in world.of(owner) if one.why in ("timed out", "restart")]
    why = "a newer incarnation with its transactional id began"
    if mine and mine[-1].why == "timed out":
        why = f"the coordinator aborted its transaction by time-out at {mine[-1].decided:.0f} s"
    zombie = "incarnation" in found.who
    then = "Nothing is written. In Java it can only abort now, and that abort tells it the rest."
    if found.error == "PRODUCER_FENCED":
        then = "Its transaction is not its own any more: it has to be closed."
    elif zombie:
        then = "Nothing of it is written, and the new incarnation goes on undisturbed."
    return (
        f"{'The zombie' if zombie else owner} is fenced: {found.error}. {found.who} {found.what.split(',')[0]}, but "
        f"{why}, and the epoch is {world.entry(owner).epoch} now. {then}"
    )


def _hanging(world: World, rows: list[Any], spans: list[Any]) -> Any:
    span, held = hanging(world, spans), waiting(rows)
    if span is None:
        return None
    name = next(row.name for row in rows if row.offset == span.first)
    blocked = f"; {_all(held, 'is', 'are')} committed, and read by no read_committed consumer" if held else ""
    return BAD, (
        f"A hanging transaction: no time-out will end it. The late {name} arrived after its transaction’s abort "
        f"marker, and opened another one at offset {span.first}, of which the coordinator knows nothing. Until an "
        f"operator aborts it (KIP-664), the last stable offset stays at {world.stable}{blocked}."
    )


def _blocked(world: Any, rows: Any, spans: Any, left: Any) -> Any:
    held = waiting(rows)
    if not held:
        return None
    other = min((one for one in spans if one.last is None or one.last >= world.stable), key=lambda one: one.first)
    other, life = other.owner, world.life(other.owner)
    done = [one for one in spans if one.result == "commit" and one.last >= world.stable]
    whose = listed([owner for owner in PRODUCERS if any(one.owner == owner for one in done)])
    until = "until a coordinator is there that can end it"
    if decided := RESULTS.get(world.entry(other).state):
        until = f"until {other}’s {decided} marker is written"
    elif other in left:
        ends = "wakes and ends its transaction" if life.fate else "ends it"
        ends = "begins a new incarnation" if life.dead else ends
        until = f"until {other} {ends}, or until the coordinator aborts it in {left[other]}"
    how = f"{other} {life.fate}. " if life.fate else ""
    return BAD, (
        f"{whose} has committed, and no read_committed consumer sees it. {whose}’s commit marker is at offset "
        f"{done[-1].last}, but the last stable offset stays at {world.stable}: {other}’s transaction began there and "
        f"is still open. {how}{_all(held, 'waits', 'wait')} {until}."
    )


def _undelivered(world: Any) -> Any:
    for owner in PRODUCERS:
        state = world.entry(owner).state
        if state not in RESULTS:
            continue
        asked = any(one.ended is None and one.why == "asked" for one in world.of(owner))
        told = f"{owner} has been told so. " if asked else ""
        rest = "Its markers are on their way; until they are in the partitions, the last stable offset stays."
        if world.coordinator is None:
            rest = (
                "The coordinator is dead, but the decision is in its log: when it comes back, it writes the markers."
            )
        return BAD if world.coordinator is None else PLAIN, (
            f"{owner}’s {RESULTS[state]} is decided, and not yet seen. {state} is durable: it cannot become anything "
            f"else. {told}{rest}"
        )
    return None


def _ended(world: World, rows: list[Any]) -> Any:
    """Return the sentence on the transaction that the last step ended."""
    began = world.starts[-2][0] if len(world.starts) > 1 else 0
    done = [
        one for one in world.transactions if one.ended is not None and one.ended >= began and one.why != "refused"
    ]
    if not done:
        return None
    one, owner = done[-1], done[-1].owner
    if not one.known:
        return PLAIN, (
            f"{owner}’s transaction was empty. The coordinator never heard of it, and nothing is in the log."
        )
    names = [text for _, kind, text in one.marks if kind == "record"]
    low = world.before[0]
    moved = f"The last stable offset moves from {low} to {world.stable}. " if world.stable != low else ""
    if one.result == "commit":
        return _committed(rows, one, names, moved)
    sees = f"read_uncommitted sees {_them(names)}, read_committed does not. "
    rest = f"{_all(names, 'stays', 'stay')} in the log: {sees}" if names else ""
    again = f"The committed position of {owner} is still {world.positions(owner)[0]}."
    if one.why == "timed out":
        new = [row.name for row in rows if row.seen and low <= row.offset]
        freed = f"read_committed now sees {listed(new)}. " if new else ""
        return BAD, (
            f"{owner}’s transaction was aborted by time-out at {one.decided:.0f} s. It was open for over {TIMEOUT_S} "
            f"s. The coordinator raised its epoch to {world.entry(owner).epoch}: {owner} is fenced. "
            f"{moved}{freed}{rest}"
        )
    if one.why == "restart":
        return PLAIN, (
            f"The new incarnation of {owner} fences the old one. Before it gets epoch {world.life(owner).epoch}, the "
            f"coordinator aborts what was open. {rest}{again}"
        )
    return PLAIN, f"{owner} has aborted. {moved}{rest}{again}"


def _committed(rows: list[Any], one: Any, names: list[str], moved: str) -> tuple[str, str]:
    again = twice([row.name for row in rows if row.seen])
    if again:
        return BAD, (
            f"{_all(again, 'is', 'are')} read twice by read_committed. {one.owner} committed {_them(again)} once "
            "without its position in the transaction, and read the same items again. Exactly once needs records and "
            "positions in one transaction."
        )
    seen = f"read_committed sees {listed(names)}. " if names else ""
    if one.position is None:
        return PLAIN, (
            f"{one.owner} has committed, without its position. {moved}{seen}Its position is not in the transaction: "
            f"a new incarnation of {one.owner} would read these items again."
        )
    return GOOD, (
        f"{one.owner} has committed: records and position at once. {moved}{seen}A new incarnation of {one.owner} "
        f"would go on at position {one.position}."
    )


def _down(world: World) -> Any:
    if world.coordinator is not None:
        return None
    open_ = [owner for owner in PRODUCERS if world.ongoing(owner)]
    rest = "What is decided stays decided; nothing new can be."
    if open_:
        rest = f"What {_all(open_, 'has', 'have')} open cannot end now, not even by time-out."
    return BAD, f"The coordinator is dead. Its log is still there. {rest}"


def _stuck(world: World, left: dict[Any, Any]) -> tuple[str, str] | None:
    for owner in PRODUCERS:
        gone = world.life(owner).fate
        if gone and world.ongoing(owner):
            more = f" for {left[owner]} more" if owner in left else ""
            return BAD, (
                f"{owner} {gone} with its transaction open. The last stable offset stays at {world.stable}{more}: "
                "whoever commits meanwhile, no read_committed consumer sees it."
            )
        if gone:
            return PLAIN, f"{owner} {gone}. It had nothing open, so nobody waits for it."
    return None


def _open(world, rows, left):
    lives = [life for owner in PRODUCERS if (life := world.life(owner)).state in (IN_TRANSACTION, ABORTABLE_ERROR)]
    for one in (life.transaction for life in lives):
        if one.decided is not None:
            how = "by time-out" if one.why == "timed out" else "already"
            return BAD, (
                f"{one.owner} believes that its transaction is open. The coordinator aborted it {how} at "
                f"{one.decided:.0f} s, and nobody has told {one.owner}. What will it hear when it goes on?"
            )
    owners = [life.owner for life in lives]
    if not owners:
        return None
    headline = f"{_all(owners, 'has', 'have')} a transaction open."
    names = [row.name for row in rows if row.span and row.owner in owners and not row.ended]
    if not names:
        return PLAIN, f"{headline} Nothing is written yet, and nobody but the producer knows of it."
    ends = [f"{owner} has {left[owner]} left" for owner in owners if owner in left]
    limit = f" {listed(ends)}, then the coordinator aborts." if ends else ""
    return PLAIN, (
        f"{headline} {_all(names, 'is', 'are')} in the log, undecided: read_uncommitted sees {_them(names)}, "
        f"read_committed reads below the last stable offset, {world.stable}.{limit}"
    )


def _last(world: World, now: list[Any]) -> tuple[str, str] | None:
    if len(world.starts) == 1:
        return None
    said = "Time passes, and nothing changes."
    if now:
        said = f"{now[-1].who[0].upper()}{now[-1].who[1:]} {now[-1].what}."
    return PLAIN, f"Nothing is open. {said}"
