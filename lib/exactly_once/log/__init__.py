"""The partitioned log: the broker's rules, once, over disks in memory or in SQLite files.

`storage` says what a disk keeps, `records` what is in it; the other modules are the rules and the clients.
"""
