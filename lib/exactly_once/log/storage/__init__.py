"""A broker's durable storage: `disk` is the interface and a disk in memory, `sqlite_disk` one in a file.

`records` defines the stored records.
"""
