"""A question on the screen: binds its model to a card."""

from ... import show
from ..base.widget import HtmlWidget
from .view import card, in_words, static


class Ask(HtmlWidget, page="ask/ask", core=True):
    """A question with blanks. `model` is its `AskModel`.

    When it is answered the page opens each `<details class="eo-after-NAME">` of its notebook, and closes them when
    the answer is taken back; `name` is the question's. `answer_changed()` is called when the kept answer has changed.
    """

    def __init__(self, model, name, answer_changed=lambda: None):
        self._answer_changed = answer_changed
        super().__init__(model, opens=f"eo-after-{name}")

    def fragments(self):
        """Return {trait: value} from the model's state."""
        return {"card": card(self.model), "answered": self.model.kept is not None}

    def on_message(self, do, value):
        """Carry out a request of the page."""
        before = self.model.kept
        super().on_message(do, value)
        if self.model.kept != before:
            self._answer_changed()

    def bundle(self):
        """Return the data that a notebook saves: the widget, and the question in HTML and in words for a page."""
        return self._repr_mimebundle_() | {
            "text/plain": repr(self),
            "text/html": f'<style>{show.CORE}</style><div class="eo eo-ask">{static(self.model)}</div>',
        }

    def __repr__(self):
        said = "Not predicted." if self.model.kept is None else f"You said {in_words(self.model.kept)}."
        return f"Predict: {self.model.question} {said}"
