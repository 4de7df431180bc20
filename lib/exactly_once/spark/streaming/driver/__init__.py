"""A query in a driver process of its own: `query` runs it through its lives, `life` is one of them, the process.

`places` has the places A to E at which a driver can be killed, `result` what is left of all lives.
"""
