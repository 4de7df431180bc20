"""Keeps the requests of the others, and goes by their order."""


class Peer:
    def __init__(self, me):
        self.mine, self.later = (float("inf"), me), set()

    def wants(self, request):
        self.mine = request

    def asked(self, request):
        self.later.add(request)
        return self.ready()

    def leaves(self):
        self.mine = (float("inf"), 0)
        return self.ready()

    def ready(self):
        now = {request for request in self.later if request <= self.mine}
        self.later -= now
        return {node for _, node in now}


answer = Peer
