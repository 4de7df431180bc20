"""A class: the file that a learner hands in, and the tables of a folder of such files.

`hand_in` writes a learner's file; `tables` reads a folder of them, and writes `class.csv` and `predictions.csv`.
"""
