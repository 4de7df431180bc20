"""A process that does not exist."""

REASON = "There is no process 'S'"
answer = "PQS"
