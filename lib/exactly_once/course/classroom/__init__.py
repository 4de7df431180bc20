"""A class: the file that a learner hands in, and the teacher's page and table of a folder of such files.

`hand_in` writes a learner's file, `read` reads a folder of them, and `page` writes `class.html` and `class.csv`.
"""
