# Plausible: right for two nodes that enter once.
"""The smaller node first, whatever the stamps."""

REASON = "comes before its own"


class Peer:
    def __init__(self, me):
        self.mine, self.waiting = None, []

    def wants(self, request):
        self.mine = request

    def asked(self, request):
        if self.mine is None or request[1] < self.mine[1]:
            return [request[1]]
        self.waiting.append(request[1])
        return []

    def leaves(self):
        now, self.waiting, self.mine = self.waiting, [], None
        return now


answer = Peer
