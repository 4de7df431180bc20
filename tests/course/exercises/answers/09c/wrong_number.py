"""No schedule at all."""

REASON = "it is a text"
answer = 7
