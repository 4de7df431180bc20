"""Space–time diagrams: `layout` says where things stand, `svg` draws a trace, `quiet` what did the damage in it.

`history` draws a history of events, `excerpt` chooses what concerns one item, `table` says the same in words.
"""
