"""Answers again who was answered before."""

REASON = "leaves returned 1, which waits for no answer of this node"


class Peer:
    def __init__(self, me):
        self.mine, self.waiting = None, []

    def wants(self, request):
        self.mine = request

    def asked(self, request):
        self.waiting.append(request[1])
        return [request[1]] if self.mine is None or request < self.mine else []

    def leaves(self):
        now, self.waiting, self.mine = self.waiting, [], None
        return now


answer = Peer
