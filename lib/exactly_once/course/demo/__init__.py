"""The demo for a projector: the notebook behind its page, the page's template, and the server that shows it."""
