"""No request of its own counts as one that comes after all others."""

NOBODY = (10**9, 0)


class Peer:
    def __init__(self, me):
        self.mine, self.waiting = NOBODY, ()

    def wants(self, request):
        self.mine = request

    def asked(self, request):
        first, node = min(request, self.mine), request[1]
        if first is not request:
            self.waiting += (node,)
        return (node,) * (first is request)

    def leaves(self):
        self.mine, waiting = NOBODY, self.waiting
        self.waiting = ()
        return waiting


answer = Peer
