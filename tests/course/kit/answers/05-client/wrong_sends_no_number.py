from exactly_once.handlers.logs.producer import insist

REASON = "One reply is lost"


class Client:
    def __init__(self, node):
        self.node, self.number = node, 0
        self.identity = insist(node.log.producer_id, "readings")

    def push(self, value, key=None):
        record, append = (key, value), self.node.log.append
        insist(append, "readings", [record])
        self.number += 1


answer = Client
