"""What a broker keeps durably: `disk` is the interface and a disk in memory, `sqlite_disk` one in a file.

`records` says what is kept; `marks` finds out a file that was damaged while it was open.
"""
