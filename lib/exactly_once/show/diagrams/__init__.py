"""Space–time diagrams: `layout` says where things stand, `svg` draws a trace, `history` a history of events.

`excerpt` chooses what concerns one item, `table` says the same in words.
"""
