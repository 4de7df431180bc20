"""Returns a node in place of a list."""

REASON = "asked returned 1; it returns a list of the nodes to answer now"


class Peer:
    def __init__(self, me):
        self.mine, self.waiting = None, []

    def wants(self, request):
        self.mine = request

    def asked(self, request):
        if self.mine is None or request < self.mine:
            return request[1]
        self.waiting.append(request[1])
        return []

    def leaves(self):
        now, self.waiting, self.mine = self.waiting, [], None
        return now


answer = Peer
