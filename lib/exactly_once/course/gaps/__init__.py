"""The gaps of the chapters: a few lines that the learner writes in a notebook, one file for each.

`chapter_NN/NAME.py` holds the gap "NN-name" as its `GAP`; `registry` finds it, and its solved cell is in
`solutions/gaps/`.
"""
