"""The same fault, several protocols: one late request under each strategy, step beside step, its arrival dragged."""
