"""Leaves a line out."""

REASON = "it is a dictionary with"

answer = {"position": "nothing"}
