"""Never comes back to those whom it did not answer at once."""

REASON = "somebody waits for ever"


class Peer:
    def __init__(self, me):
        self.mine = None

    def wants(self, request):
        self.mine = request

    def asked(self, request):
        return [request[1]] if self.mine is None or request < self.mine else []

    def leaves(self):
        self.mine = None
        return []


answer = Peer
