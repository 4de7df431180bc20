# Plausible: right for two nodes.
"""Passes the turn on to one of those who wait."""

REASON = "With 3 nodes, somebody waits for ever"


class Peer:
    def __init__(self, me):
        self.mine, self.waiting = None, []

    def wants(self, request):
        self.mine = request

    def asked(self, request):
        if self.mine is None or request < self.mine:
            return [request[1]]
        self.waiting.append(request[1])
        return []

    def leaves(self):
        self.mine = None
        return [self.waiting.pop(0)] if self.waiting else []


answer = Peer
