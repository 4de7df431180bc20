"""What the widgets have in common: the widget and its page, work in the background, controls, errors in place."""
