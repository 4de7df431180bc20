"""Space–time diagrams: `layout` places the parts, `svg` draws a trace, `quiet` emphasizes the causes of the damage.

`history` draws a history of events, `excerpt` selects the events of one item, `table` gives the same in words.
"""
