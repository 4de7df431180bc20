"""A handler whose scheduler is a person, where it can do no harm: `explore.play` in the warm child process."""

from ..explore import play
from ..explore.case import Case
from ..node.pickling import pickle_handler, unpickle_handler
from .pool import call, preload

SECONDS = 5.0
preload("exactly_once.sandbox.play_safely")


class SafePlay:
    """The answers of `explore.play` about one handler, or one for each node, within bounds, from the child process.

    `rules` are `prove`'s `reference` and `invariant`. Each call raises the errors of `play`, and `HandlerStuck` when
    the handler does not get to its next step in time.
    """

    def __init__(self, handlers, job, bounds, rules=None):
        self.case = job, bounds
        rules = {name: rule for name, rule in (rules or {}).items() if rule is not None}
        self.pickled = pickle_handler((list(handlers), rules))  # as they are now

    def look(self, schedule, known=(), sentence=""):
        """Return the `Position` after a schedule; see `play.look` for what may be `known` of its first parts."""
        return self._ask("look", tuple(schedule), tuple(known), sentence)

    def run_out(self, schedule):
        """Return the schedule with the decisions that lead to its end without a fault."""
        return self._ask("run_out", tuple(schedule))

    def simplest(self, known):
        """Return (schedule, `Cost`) of the simplest way to where nothing can be right any more."""
        return self._ask("simplest", tuple(known), seconds=play.SIMPLEST_SECONDS + SECONDS)

    def _ask(self, what, *arguments, seconds=SECONDS):
        return call(_answer, what, self.pickled, self.case, arguments, seconds=seconds)


def _answer(what, pickled, case, arguments):
    """Answer in the child process."""
    handlers, rules = unpickle_handler(pickled)
    return getattr(play, what)(Case.within(handlers, *case, **rules), *arguments)
