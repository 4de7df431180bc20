"""Figures by plotly: inputs and orders of the writes (`figures`), `delivery`, and figures of twins.

`waits` draws how long records wait, `contention` draws processes at one queue, `estimate` draws how seldom all twins
are down. `costs`, on the canvas, draws comparisons of costs with their spread, and latencies.
"""
