"""Figures by plotly: inputs and orders of the writes (`figures`), `delivery`, `stamping`, and those of twins.

Of twins `waits` draws how long records wait, `contention` processes at one queue, `estimate` how seldom all are down.
"""
