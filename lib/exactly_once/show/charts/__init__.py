"""Figures by plotly: the inputs and all orders of the writes, delivery, and what stamping a log costs."""
