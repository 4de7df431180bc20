"""The stream handler in each delivery strategy, and in any order of its four writes (`orders`).

`file_sink` writes to files in place of the output.
"""
