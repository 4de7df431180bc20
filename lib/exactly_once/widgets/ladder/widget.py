"""The ladder on the screen: binds its model to one widget."""

from ..base.widget import HtmlWidget
from ..prove.widget import warm_up
from .model import LadderModel
from .view import fragments, ladder_table


class Ladder(HtmlWidget, page="ladder/ladder", view=fragments):
    """The ladder. `model` is its `LadderModel`."""

    def __init__(self, model):
        super().__init__(model)
        warm_up()

    def __repr__(self):
        return f"The ladder: {len(self.model.state.cells)} proved.\n{ladder_table(self.model).to_string(index=False)}"


def ladder(strategies=None, kept=None, keep=lambda kept: None):
    """Return the ladder: every strategy under every kind of fault, with the damaged parts among output, state,
    positions and counter for each. It begins to prove when it is on a page.

    strategies: the rows from the lowest rung, names of `STRATEGIES` and handlers of one's own; without it all
        strategies but those of chapters 10 and 12.
    kept, keep: the earlier proofs, and a function that is called with all proofs after each, as plain data;
    `exactly_once.course.kit.ladder` keeps them among the learner's own files.
    Raises `BadInput` for an unknown strategy.
    """
    return Ladder(LadderModel(strategies, kept, keep))
