"""The kill scrubber without its screen: the places where a fault can strike, and the verdict on each.

Every verdict is that of a real simulated run, made on request, or ahead, the nearest places first.
"""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from ...errors import BadInput
from ...show.verdicts.marks import SIGNS, word
from .choices import OWN

CHUNK = 8  # runs in one call of the child process, after the first
PAUSE_SECONDS = 0.001  # between two runs ahead, so that the kernel answers other requests meanwhile


@dataclass(eq=False)
class Strip:
    """All places of one handler for one kind of fault, and the verdicts that are known, by the place's index."""

    key: tuple
    handler: object
    job: object
    trusted: bool
    places: tuple
    plans: tuple
    listed: object = None  # the listed function
    verdicts: dict = field(default_factory=dict)

    @property
    def done(self):
        """True when the verdict of every place is known."""
        return len(self.verdicts) == len(self.places)

    def word(self, index):
        """Return the verdict's word of a place, "not run" where it is not known yet."""
        return word(self.verdicts.get(index))

    def counts(self):
        """Return {word: number of places}, in the order of the signs."""
        found = Counter(map(self.word, range(len(self.places))))
        return {name: found[name] for name in SIGNS if found[name]}

    def says(self, index):
        """Return a place and its verdict in words, such as "after push of hour 3: doubles"."""
        return f"{self.places[index].words}: {self.word(index)}"

    def index_of(self, point, item):
        """Return the index of the place where a crash point stands in an hour, or None."""
        found = (n for n, place in enumerate(self.places) if (place.point, place.point_item) == (point, item))
        return next(found, None)

    def nearest(self, near):
        """Return the indices of the places without a verdict, the nearest to `near` first."""
        left = set(range(len(self.places))) - set(self.verdicts)
        return sorted(left, key=lambda index: (abs(index - near), index))


class Scrubber:
    """The strips of one console, kept for each handler, kind of fault, killed process and number of deaths.

    `worlds` runs handlers. All methods may be called from any thread; one simulated run is under way at a time.
    """

    def __init__(self, worlds, job, own=None):
        self.worlds, self.job, self.own = worlds, job, own
        self._strips, self._ideals = {}, {}
        self._asking = threading.Lock()  # held while a thread waits for a verdict, so that the runs ahead wait
        self._running = threading.Lock()

    def strip(self, choices, kind):
        """Return the `Strip` of these choices. Raises the errors of the handler's run without any fault."""
        key = (choices.row, kind, choices.kill, choices.attempts)
        if key not in self._strips:
            handler, trusted = choices.handler(self.own), choices.strategy != OWN
            with self._running:
                places = self.worlds.places(handler, self.job, trusted, choices.struck)
            for each, found in places.items():
                plans = tuple(choices.repeated(place.plan(choices.kill)) for place in found)
                fresh = Strip(
                    (key[0], each, *key[2:]), handler, self.job, trusted, found, plans, choices.listed(self.own)
                )
                self._strips.setdefault(fresh.key, fresh)
        return self._strips[key]

    def known(self, choices, kind):
        """Return the `Strip` of these choices if it is there already, or None."""
        return self._strips.get((choices.row, kind, choices.kill, choices.attempts))

    def verdict(self, strip, index):
        """Return the verdict of a fault at a place; run it if it has none. Raises `BadInput` for an index that is no
        place.
        """
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(strip.places):
            raise BadInput(f"The place is {index!r}; give a number from 0 to {len(strip.places) - 1}.")
        if index not in strip.verdicts:
            with self._asking:
                self._run(strip, [index])
        return strip.verdicts[index]

    def fill(self, strip, near, stopped=lambda: False, told=lambda indices: None):
        """Run all remaining places, the nearest to `near()` first, until `stopped()`.

        `told` is called with the indices of new verdicts.
        """
        size = 1
        while not strip.done and not stopped():
            with self._asking:
                pass
            chosen = strip.nearest(near())[:size]
            self._run(strip, chosen)
            told(chosen)
            size = 1 if strip.trusted else CHUNK
            time.sleep(PAUSE_SECONDS)

    def _run(self, strip, indices):
        with self._running:
            left = [index for index in indices if index not in strip.verdicts]
            if not left:
                return
            plans = [strip.plans[index] for index in left]
            ideals = self._ideals.get(strip.key[0])
            found = self.worlds.strikes(strip.handler, plans, self.job, strip.trusted, ideals)
            if strip.trusted and ideals is None and not found[0].run.error:
                self._ideals[strip.key[0]] = self.worlds.ideals(strip.handler, self.job)
            strip.verdicts.update(zip(left, found, strict=True))
