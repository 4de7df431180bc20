"""A button that acts at once. A sentence beside it announces the action, and afterwards states its result."""

from html import escape

import ipywidgets

from ...errors import CourseError


class ActingButton(ipywidgets.HBox):
    """The button. `act()` returns the sentence on the result, or raises `CourseError` or `OSError`.

    `css` is the button's class, and `css`-says the sentence's.
    """

    def __init__(self, label, tip, sentence, act, css):
        self.button = ipywidgets.Button(description=label, tooltip=tip, layout={"width": "auto"}).add_class(css)
        self.says = ipywidgets.HTML().add_class(f"{css}-says")
        self._act = act
        self.button.on_click(lambda _: self._go())
        self.say(sentence)
        super().__init__([self.button, self.says], layout={"align_items": "center", "flex_flow": "row wrap"})

    def say(self, sentence, again=True):
        """Put another sentence beside the button; unless `again`, it cannot be pressed any more."""
        self.says.value, self.button.disabled = escape(sentence), not again

    def _go(self):
        self.button.disabled = True
        try:
            self.say(self._act(), again=False)
        except (CourseError, OSError) as why:
            self.say(f"It did not go through: {why}")
