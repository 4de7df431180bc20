from typing import NamedTuple
PREPARED = {"PrepareCommit": "commit", "PrepareAbort": "abort"}
class Transaction(NamedTuple):
    producer: int
    epoch: int
    last_epoch: int
    state: str
    partitions: tuple = ()
    timeout_ms: int = 60000
    started: int | None = None
    updated: int = 0
