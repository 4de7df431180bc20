"""A button that makes a widget when it is pressed, and puts it below itself."""

from html import escape

import ipywidgets

from .error_view import ErrorView


class RevealButton(ipywidgets.VBox):
    """The button, or the widget that it made. A notebook that is read without its kernel shows words in its place."""

    def __repr__(self):
        return "Run this cell again for the button that opens it in the debugger."


def reveal_button(make, title="Open in the debugger"):
    """Return the button. `make` takes nothing and returns the widget; an error of `make` is shown in its place."""
    button = ipywidgets.Button(description=title, icon="bug", layout={"width": "auto"}).add_class("eo-open-debugger")
    row = ipywidgets.HBox([button])  # a button alone would be stretched
    box = RevealButton([row])

    def open_it(_):
        try:
            below = make()
        except Exception as why:  # noqa: BLE001 - an error in a callback is invisible unless it is shown
            said = ErrorView.of(why, what="What this button opens")
            below = ipywidgets.HTML(f'<p class="eo-says eo-is-bad">{escape(said.message)}</p>')
        box.children = (below,)

    button.on_click(open_it)
    return box
