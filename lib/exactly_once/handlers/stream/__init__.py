"""The stream handler, in each delivery strategy a file, and in any order of its four writes (`orders`).

`file_sink` and `files` write to files in place of the output.
"""
