"""The ladder on the screen: binds its model to one widget."""

import traitlets

from ..base.widget import HtmlWidget, css, esm
from ..prove.widget import warm_up
from .model import LadderModel
from .view import fragments, ladder_table


class Ladder(HtmlWidget):
    """The ladder. `model` is its `LadderModel`; each region is a trait with HTML."""

    _esm = esm("ladder/ladder.js")
    _css = css("ladder/ladder.css")
    toolbar = traitlets.Unicode().tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)
    ask = traitlets.Unicode().tag(sync=True)
    grid = traitlets.Unicode().tag(sync=True)
    head = traitlets.Unicode().tag(sync=True)
    proof = traitlets.Unicode().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)

    def __init__(self, model):
        super().__init__(model)
        warm_up()

    def fragments(self):
        """Return {trait: value} from the model's state."""
        return fragments(self.model, self._width)

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
