"""A verdict, as HTML and tables: its headline, the output, the facts beside it, the handler's code, the matrix.

`verdict_picture` has the headline, the facts and the tape; `averages_picture` draws an output over time, and all
right outcomes.
"""
