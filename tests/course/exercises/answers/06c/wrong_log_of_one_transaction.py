"""A log that the buffering reader shows as it should."""

REASON = "as it should. Look for one"


class Reader:
    def __init__(self, position):
        self.position = position

    def read(self, offset, kind, producer, value):
        return []


answer = {"log": [("data", "a", "tea"), ("commit", "a", None)], "reader": Reader}
