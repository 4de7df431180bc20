"""The transaction timeline without its screen: the steps done and to be done, and the resulting world."""

import re
from dataclasses import dataclass

from ...errors import BadInput, one_of
from ...sealed import sealed, shown, unsealed
from ..base.model import BaseState, Model, WrongField, typed_number
from .parts import PRODUCERS
from .stories import CLUSTER, OWN, PRODUCER, STORIES
from .world import World

MOST_STEPS = 60
FORMAT = "tt1"
PROTOCOLS = {"classic": 1, "KIP-890": 2}
CODES = {f"{number}{code}" for number in (1, 2) for code in PRODUCER} | set(CLUSTER)
TOKEN = re.compile(rf"{FORMAT}-([12])-((?:[12][{''.join(PRODUCER)}]|[{''.join(CLUSTER)}])*)")
LONGEST_WAIT = 9  # ticks of ten seconds until the coordinator has aborted every transaction that is open now


@dataclass(frozen=True)
class State(BaseState):
    """The steps, as codes, and the number of done steps; `story` is the story of the remaining steps, if there is
    one.
    """

    story: str = OWN
    protocol: int = 1
    steps: tuple = ()
    at: int = 0


class TimelineModel(Model):
    """Two transactional producers, and the steps on them, in order; the learner can go back and forth in them.

    `story` is the name of a story, "own", or a token. Raises `BadInput` for anything else.
    """

    what = "The timeline"

    def __init__(self, story=OWN, protocol=None):
        super().__init__(State())
        self.world = World()
        if story in (OWN, *STORIES):
            self.begin(story)
        elif isinstance(story, str) and story.startswith(f"{FORMAT}-"):
            self.load(story)
        else:
            one_of("the story", story, [OWN, *STORIES])
        if protocol is not None:
            self.protocol(protocol)

    def actions(self):
        """Return the actions that `do` knows."""
        return {
            "step": self.step,
            "go": lambda value: self.go(typed_number("go", "The step", value, 0, len(self.state.steps))),
            "story": self.begin,
            "protocol": self.protocol,
            "token": self.load,
            "clear": lambda _: self.begin(OWN),
        }

    def step(self, code):
        """Do one step, "1s" for P1's send, "t" for ten seconds; any other step than the story's next one drops the
        rest.
        """
        what, owner = meaning(code)
        state = self.state
        if state.at >= MOST_STEPS:
            raise BadInput(f"{MOST_STEPS} steps are done, as many as there may be. Clear, or go back some.")
        self.world.do(what, owner)
        if state.steps[state.at : state.at + 1] == (code,):  # the story's next step
            self.update(at=state.at + 1)
            return
        story = OWN if state.at < len(state.steps) else state.story
        self.update(story=story, steps=(*state.steps[: state.at], code), at=state.at + 1)

    def go(self, at):
        """Go to the moment after so many steps."""
        state = self.state
        self.world = self._played(at) if at < state.at else self._on(self.world, state.steps[state.at : at])
        self.update(at=at)

    def begin(self, story):
        """Begin a story, or clear everything."""
        one_of("the story", story, [OWN, *STORIES])
        told = STORIES.get(story)
        steps = tuple(code for code, _ in told.steps) if told else ()
        protocol = told.protocol if told else self.state.protocol
        self.put_right("token")
        self._show(story, protocol, steps, 0)

    def protocol(self, value):
        """Play the same steps under the other protocol: "classic" or "KIP-890"."""
        number = PROTOCOLS[one_of("The protocol", value, PROTOCOLS)]
        self._show(self.state.story, number, self.state.steps, self.state.at)

    def load(self, token):
        """Bring back the steps of a token, at their end. Raises `WrongField` for anything but a token of the
        timeline.
        """
        text = str(token).strip()
        if not text:
            raise WrongField("There is no token; paste one that a timeline gave.", "token", str(token))
        head = unsealed(text)
        found = TOKEN.fullmatch(head or "")
        if found is None:
            why = "it is of another kind" if head else "a character is missing or wrong"
            raise WrongField(f"{shown(text)} is no token of a timeline: {why}. Copy it whole.", "token", text[:200])
        steps = tuple(re.findall("[12]?[a-z]", found[2]))
        if len(steps) > MOST_STEPS:
            raise WrongField(
                f"The token has {len(steps)} steps; at most {MOST_STEPS} are shown.", "token", text[:200]
            )
        self.put_right("token")
        self._show(OWN, int(found[1]), steps, len(steps))

    @property
    def token(self):
        """The token of the done steps, an argument of `transaction_timeline(token)`."""
        return sealed(f"{FORMAT}-{self.state.protocol}-{''.join(self.state.steps[: self.state.at])}")

    @property
    def words(self):
        """The sentence that announces the next step of the story, or ""."""
        story = STORIES.get(self.state.story)
        return story.steps[self.state.at][1] if story and self.state.at < len(story.steps) else ""

    def forecast(self):
        """Return {producer: the second at which the coordinator will abort its transaction}, if no other step is
        done.

        The seconds come from a simulation: a copy of the world waits long enough.
        """
        world = self.world
        if world.coordinator is None or not any(world.ongoing(owner) for owner in PRODUCERS):
            return {}
        later, known = self._played(self.state.at), len(world.transactions)
        for _ in range(LONGEST_WAIT):
            later.do("tick")
            if not any(later.ongoing(owner) for owner in PRODUCERS):
                break
        pairs = zip(world.transactions, later.transactions[:known], strict=True)
        return {then.owner: then.decided for now, then in pairs if now.decided is None and then.why == "timed out"}

    def moment(self):
        """Return the state, from which the world is played again."""
        return self.state

    def restore(self, moment):
        """Bring back the state before an action that failed."""
        if self.state != moment:
            self.update(**vars(moment))
        self.world = self._played(moment.at)

    def _show(self, story, protocol, steps, at):
        self.update(story=story, protocol=protocol, steps=steps, at=0)
        self.world = self._played(at)
        self.update(at=at)

    def _played(self, at):
        return self._on(World(self.state.protocol), self.state.steps[:at])

    @staticmethod
    def _on(world, codes):
        """Do some steps in a world; a step that is impossible there, under another protocol, is noted and passed
        over.
        """
        for code in codes:
            world.do(*meaning(code), strict=False)
        return world


def meaning(code):
    """Return (what, producer or None) of a code. Raises `BadInput` for an unknown code."""
    if code not in CODES:
        raise BadInput(
            f"{str(code)[:20]!r} is no step of the timeline; P1’s are 1 and a letter of {', '.join(PRODUCER)}."
        )
    if code in CLUSTER:
        return CLUSTER[code], None
    return PRODUCER[code[1]], PRODUCERS[int(code[0]) - 1]
