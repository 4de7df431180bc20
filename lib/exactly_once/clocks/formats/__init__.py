"""Histories from files, and as their text: `files` tells the forms apart, and reads with the others.

`jsonlines` is the course's own form; `shiviz_log` and `clock_lines` read the logs of logging libraries.
"""
