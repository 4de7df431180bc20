# Plausible: right as long as nothing crashes.
"""Starts from 0 in every life."""

REASON = "One crash: after this schedule"


class Clock:
    def __init__(self, disk):
        self.time = 0

    def tick(self):
        self.time += 1
        return self.time

    def receive(self, stamp):
        self.time = max(self.time, stamp) + 1
        return self.time


answer = Clock
