"""A class: the file that a learner hands in, and the teacher's page and table of a folder of such files.

`hand_in` writes a learner's file, `files` reads a folder of them, `questions` reads the chapters' questions,
`counts` counts the answers, and `report` writes `class.html` and `class.csv`.
"""
