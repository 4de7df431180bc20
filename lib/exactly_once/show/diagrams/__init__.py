"""Space–time diagrams: `layout` places the parts, `spacetime` draws a trace, `quiet` makes the causes of damage bold.

`history_picture` draws a history of events, `excerpt` selects the events of one item, and has their words, also as a
table.
"""
