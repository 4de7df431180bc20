"""The transaction timeline without its screen: the steps done and to be done, and the resulting world."""

import re
from dataclasses import dataclass

from ...errors import BadInput, one_of
from ...faults import sealed, shown, unsealed
from ..base.model import WrongField, typed_number
from ..player.model import WayModel, WayState
from .steps import CODES, OWN, PRODUCER, STORIES
from .world import World

MOST_STEPS = 60
FORMAT = "tt1"
PROTOCOLS = {"classic": 1, "KIP-890": 2}
TOKEN = re.compile(rf"{FORMAT}-([12])-((?:{'|'.join(CODES)})*)")


@dataclass(frozen=True, kw_only=True)
class State(WayState):
    """The steps are codes; `story` is the story of the remaining steps, if there is one, `position` the `World`."""

    story: str = OWN
    protocol: int = 1


class TimelineModel(WayModel):
    """Two transactional producers, and the steps on them, in order; the learner can go back and forth in them.

    `story` is the name of a story, "own", or a token. Raises `BadInput` for anything else.
    """

    what = "The timeline"

    def __init__(self, story=OWN, protocol=None):
        super().__init__(State())
        if isinstance(story, str) and story.startswith(f"{FORMAT}-"):
            self.load(story)
        else:
            self.begin(story)
        if protocol is not None:
            self.protocol(protocol)

    def actions(self):
        """Return the actions that `do` knows."""
        return {
            "step": self.step,
            "go": lambda value: self.go(typed_number("go", "The step", value, 0, len(self.state.way))),
            "story": self.begin,
            "protocol": self.protocol,
            "token": self.load,
            "clear": lambda _: self.begin(OWN),
        }

    @property
    def world(self):
        """The `World` after the done steps."""
        return self.state.position

    def step(self, code):
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

    def begin(self, story=OWN):
        """Begin a story, or clear everything."""
        one_of("the story", story, [OWN, *STORIES])
        told = STORIES.get(story)
        steps = tuple(code for code, _ in told.steps) if told else ()
        self._show(story, told.protocol if told else self.state.protocol, steps, 0)

    def protocol(self, value):
        """Play the same steps under the other protocol: "classic" or "KIP-890"."""
        number = PROTOCOLS[one_of("The protocol", value, PROTOCOLS)]
        self._show(self.state.story, number, self.state.way, self.state.at)

    def load(self, token):
        """Bring back the steps of a token, at their end. Raises `WrongField` for anything but a token of the
        timeline.
        """
        text = str(token).strip()
        head = unsealed(text)
        found = TOKEN.fullmatch(head or "")
        steps = tuple(re.findall("[12]?[a-z]", found[2])) if found else ()
        why = "it is of another kind" if head else "a character is missing or wrong"
        wrong = "" if found else f"{shown(text)} is no token of a timeline: {why}. Copy it whole."
        if len(steps) > MOST_STEPS:
            wrong = f"The token has {len(steps)} steps; at most {MOST_STEPS} are shown."
        if wrong:
            said = wrong if text else "There is no token; paste one that a timeline gave."
            raise WrongField(said, "token", text[:200])
        self._show(OWN, int(found[1]), steps, len(steps))

    @property
    def token(self):
        """The token of the done steps, an argument of `transaction_timeline(token)`."""
        return sealed(f"{FORMAT}-{self.state.protocol}-{''.join(self.state.way[: self.state.at])}")

    @property
    def words(self):
        """The sentence that announces the next step of the story, or ""."""
        story = STORIES.get(self.state.story)
        return story.steps[self.state.at][1] if story and self.state.at < len(story.steps) else ""

    def position_of(self, schedule):
        """Return a world in which these steps were done; one that is impossible there, under another protocol, is
        noted and passed over.
        """
        world = World(self.state.protocol)
        for code in schedule:
            world.do(*meaning(code))
        return world

    def restore(self, moment):
        """Bring back the state before an action that failed."""
        if self.state != moment:
            self.forget()
            self.update(**vars(moment))

    def _show(self, story, protocol, steps, at):
        self.put_right("token")
        self.forget()
        self.update(protocol=protocol)
        self.stand(steps, at, story=story)


def meaning(code):
    """Return (what, producer or None) of a code. Raises `BadInput` for an unknown code."""
    if code not in CODES:
        letters = ", ".join(one.letter for one in PRODUCER.values())
        raise BadInput(f"{str(code)[:20]!r} is no step of the timeline; P1’s are 1 and a letter of {letters}.")
    return CODES[code]
