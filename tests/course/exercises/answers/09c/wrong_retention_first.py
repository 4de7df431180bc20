"""Retention finds nothing."""

REASON = "Retention comes too early"
answer = "RPPPQQQ"
