"""Lets everybody in, whatever it wants itself."""

REASON = "in the critical section at once"


class Peer:
    def __init__(self, me):
        self.mine, self.waiting = None, []

    def wants(self, request):
        self.mine = request

    def asked(self, request):
        if True:
            return [request[1]]
        self.waiting.append(request[1])
        return []

    def leaves(self):
        now, self.waiting, self.mine = self.waiting, [], None
        return now


answer = Peer
