from exactly_once.handlers.logs.producer import insist


class Client:
    def __init__(self, node):
        self.node, self.number = node, 0
        self.identity = insist(node.log.producer_id, "readings")

    def push(self, value, key=None):
        record, append = (key, value), self.node.log.append
        append("readings", [record], "all", self.identity, 0, self.number)  # an error leaves the number as it is
        self.number += 1


answer = Client
