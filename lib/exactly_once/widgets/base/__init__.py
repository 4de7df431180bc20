"""The common parts of the widgets: the widget and its page, work in the background, controls, errors in place."""
