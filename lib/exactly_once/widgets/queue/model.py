"""The stepper's model: pushers, the learner's decisions, and their results. Plain Python."""

from dataclasses import dataclass

from ...errors import BadInput, one_of, whole
from ...explore import tokens
from ...lockfree.progress import locked, reserving
from ...lockfree.pushers import placer, pusher
from ...pipeline import Job
from ...pipeline.case import programs_of
from ...simulate.decision import CRASH, STEP, Decision
from ...simulate.hub import STEP as AT_A_STEP
from ...simulate.replay import Replayer
from ..base.model import BaseState, Model, WrongField
from .moment import SPINS, Moment

JOB = Job(items=1)  # the pushers bring their own values; a replay needs a job all the same
MOST_STEPS, MOST_DEATHS = 160, 4
IN_TURNS = 36  # the most steps in turns before the stepper reports that no pusher finishes
QUEUES = {
    "lock-free": "lock-free push",
    "prepared": "prepared place",
    "spinlock": "behind a spinlock",
    "reserving": "obstruction-free",
}
ONE_VALUE = ("spinlock", "reserving")  # queues whose pushers push one value, their number


@dataclass(frozen=True, kw_only=True)
class State(BaseState):
    """The state of the screen. `way` are all decisions; the first `at` were taken.

    `asleep` are the nodes that take no step until they are woken up; `moment` is the present state of the run;
    `turns` is the number of steps in turns after which no pusher had finished, or 0.
    """

    queue: str = "lock-free"
    pushers: int = 2
    values: int = 2
    way: tuple = ()
    at: int = 0
    asleep: frozenset = frozenset()
    moment: Moment | None = None
    turns: int = 0


class QueueModel(Model):
    """Pushers at a queue, and the learner's decisions on them, in order; the learner can go back and forth in them.

    The pushers run the handlers of `lockfree`, on the registers of a replay. `queue` is one of `QUEUES`. Raises
    `BadInput` for anything else.
    """

    what = "The stepper"

    def __init__(self, queue="lock-free", pushers=2, values=2):
        super().__init__(State())
        self._moments = {}
        self.begin(queue=queue, pushers=pushers, values=values)

    def actions(self):
        """Return the actions that `do` knows."""
        return {
            "step": lambda node: self.decide(self._awake(node), STEP),
            "run": lambda node: self.run([self._awake(node)]),
            "kill": lambda node: self.kill(self._node(node)),
            "sleep": lambda node: self.sleep(self._node(node)),
            "all": lambda _: self.run(self._going()),
            "undo": lambda _: self.go(self.state.at - 1),
            "redo": lambda _: self.go(self.state.at + 1),
            "go": lambda at: self.go(int(at)),
            "restart": lambda _: self.begin(),
            "queue": lambda queue: self.begin(queue=queue),
            "pushers": lambda count: self.begin(pushers=int(count)),
            "values": lambda count: self.begin(values=int(count)),
            "token": self.load,
        }

    @property
    def handlers(self):
        """The handlers of the pushers, in the form of `prove`, `replay` and `adversary`."""
        return programs(self.state.queue, self.state.pushers, self.state.values)

    @property
    def token(self):
        """The token of the taken steps: `replay(token, handlers)` performs them."""
        return tokens.write(self.handlers, JOB, self.state.pushers, self.state.way[: self.state.at])

    def begin(self, **choices):
        """Start again, with other choices if any are given. Raises `BadInput` for unknown choices."""
        state = self.state
        queue = one_of("the queue", choices.get("queue", state.queue), QUEUES)
        pushers = whole("the number of pushers", choices.get("pushers", state.pushers), 2, 3)
        values = whole("the number of values", choices.get("values", state.values), 1, 2)
        self.put_right("token")
        self.update(queue=queue, pushers=pushers, values=values, asleep=frozenset())
        self._stand((), 0)

    def decide(self, node, kind):
        """Let a pusher take its next step, or die before it."""
        self._stand(*self._grown(self.state.way, self.state.at, Decision(node, kind, 0)))

    def run(self, nodes):
        """Let pushers take steps in turns until all have finished, or the remaining ones spin.

        Pushers that reserve continue until each is about to fill its cell: these turns are the worst for them.
        """
        state, nodes = self.state, list(nodes)
        self._has_room(state.at)
        reserving = state.queue == "reserving"
        most = min(MOST_STEPS, state.at + IN_TURNS) if reserving else MOST_STEPS
        taken = list(state.way[: state.at])
        replayer = Replayer(programs_of(self.handlers, JOB, state.pushers))
        replay = replayer.replay(_in_turns(replayer, nodes, taken, most, reserving))
        replay.schedule, schedule = taken, tuple(taken)
        self._moments[self._key(schedule)] = moment = self._moment(replay)
        endless = reserving and len(nodes) > 1 and len(taken) == most and not set(nodes) <= set(moment.ended)
        way = state.way if state.way[: len(schedule)] == schedule else schedule
        self._stand(way, len(schedule), turns=len(taken) - state.at if endless else 0)

    def kill(self, node):
        """Let a pusher die before its next step; its next incarnation begins at once, awake."""
        moment = self.state.moment
        if moment.pushers[node].next is None:
            raise BadInput(f"Pusher {node + 1} has ended; there is nobody left to kill.")
        if len(moment.deaths) >= MOST_DEATHS:
            raise BadInput(f"{MOST_DEATHS} deaths are enough for one run. Undo some, or begin anew.")
        self.update(asleep=self.state.asleep - {node})
        self.decide(node, CRASH)

    def sleep(self, node):
        """Let a pusher fall asleep before its next step, or wake it up."""
        if self.state.moment.pushers[node].next is None:
            raise BadInput(f"Pusher {node + 1} has ended, and has no use for sleep.")
        self.update(asleep=self.state.asleep ^ {node}, turns=0)

    def go(self, at):
        """Stand after so many decisions of the way."""
        self._stand(self.state.way, max(0, min(len(self.state.way), at)))

    def load(self, token):
        """Bring back the steps of a token of these pushers. Raises `WrongField` for any other token."""
        text = str(token).strip()
        try:
            _, nodes, schedule = tokens.read(text, self.handlers)
        except BadInput as why:
            raise WrongField(
                f"{why} It must be of the queue and the pushers that are chosen.", "token", text
            ) from why
        way = tuple(schedule)
        if nodes != self.state.pushers or len(way) > MOST_STEPS or {one.kind for one in way} - {STEP, CRASH}:
            raise WrongField("This token is of a run that the stepper cannot show.", "token", text)
        self._stand(way, len(way))

    def _going(self):
        state = self.state
        nodes = [one.node for one in state.moment.pushers if one.next is not None and one.node not in state.asleep]
        if not nodes:
            raise BadInput("Nobody is left who could take a step: all have ended, or are asleep.")
        return nodes

    def _node(self, value):
        return whole("the number of a pusher, from 0,", int(value), 0, self.state.pushers - 1)

    def _awake(self, value):
        node = self._node(value)
        if node in self.state.asleep:
            raise BadInput(f"Pusher {node + 1} is asleep. Wake it up first.")
        if self.state.moment.pushers[node].next is None:
            raise BadInput(f"Pusher {node + 1} has ended.")
        return node

    def _grown(self, way, at, decision):
        """Return (way, at) with one decision more; undone decisions are dropped, unless the first of them is the same
        one.
        """
        self._has_room(at)
        return (way if way[at : at + 1] == (decision,) else (*way[:at], decision)), at + 1

    @staticmethod
    def _has_room(at):
        if at >= MOST_STEPS:
            raise BadInput(f"{MOST_STEPS} steps were taken, as many as there may be. Undo some, or begin anew.")

    def _stand(self, way, at, turns=0):
        self.update(way=way, at=at, moment=self._at(way[:at]), turns=turns)

    def _at(self, schedule):
        """Return the `Moment` after some decisions; each sequence is performed once."""
        key = self._key(schedule)
        if key not in self._moments:
            replay = Replayer(programs_of(self.handlers, JOB, self.state.pushers)).replay(schedule)
            self._moments[key] = self._moment(replay)
        return self._moments[key]

    def _key(self, schedule):
        return self.state.queue, self.state.pushers, self.state.values, schedule

    def _moment(self, replay):
        return Moment(replay, pushed(self.state.queue, self.state.pushers, self.state.values))

    def moment(self):
        """Return the state, which `restore` brings back."""
        return self.state

    def restore(self, moment):
        """Bring back the state before an action that failed."""
        if self.state != moment:
            self.update(**vars(moment))


def _in_turns(replayer, nodes, taken, most, until_it_fills):
    """Yield the decisions in `taken`, and then steps of `nodes` in turns; each new step is added to `taken`."""
    yield from list(taken)
    left, asked, writes = list(nodes), {}, 0
    while left and len(taken) < most and not all(asked.get(node, ("", 0))[1] >= SPINS for node in left):
        for node in list(left):
            goes_on = True
            while goes_on and len(taken) < most:
                text = replayer.actors[node].world.event.text
                taken.append(Decision(node, STEP, 0))
                yield taken[-1]
                now = sum(entry.value is not None for entry in replayer.stores["engine"].journal())
                asked, writes = (asked, writes) if now == writes else ({}, now)
                before, times = asked.get(node, (text, 0))
                asked[node] = text, times + 1 if before == text else 1
                if replayer.actors[node].found != AT_A_STEP:
                    left.remove(node)
                    break
                fills = replayer.actors[node].world.event.text.endswith(f": {node + 1}")
                goes_on = until_it_fills and not fills


def pushed(queue, pushers, values):
    """Return {node: the values that it pushes}."""
    if queue in ONE_VALUE:
        return {node: [node + 1] for node in range(pushers)}
    return {node: [f"{node + 1}{letter}" for letter in "ab"[:values]] for node in range(pushers)}


def programs(queue, pushers, values):
    """Return the handlers of the pushers, one for each."""
    if queue in ONE_VALUE:
        return [locked if queue == "spinlock" else reserving] * pushers
    make = pusher if queue == "lock-free" else placer
    return [make(*of) for of in pushed(queue, pushers, values).values()]
