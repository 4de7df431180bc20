from exactly_once.handlers.logs.producer import insist

REASON = "A number belongs to one push"


class Client:
    def __init__(self, node):
        self.node, self.sent = node, []
        self.identity = insist(node.log.producer_id, "readings")

    def push(self, value, key=None):
        if value not in self.sent:
            insist(self.node.log.append, "readings", [(key, value)], "all", self.identity, 0, len(self.sent))
            self.sent.append(value)


answer = Client
