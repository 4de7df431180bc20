"""Histories from files, and as their text: `files` tells the forms apart, and reads with the others.

`jsonlines` is the course's own form; `shiviz_log`, `clock_lines` and `from_vectors` read the logs of logging
libraries; `pairing` finds the send of each receive, `matching` runs a file's own regular expressions under limits.
"""
