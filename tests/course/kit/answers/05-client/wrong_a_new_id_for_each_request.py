from exactly_once.errors import OutcomeUnknown
from exactly_once.handlers.logs.producer import insist

REASON = "One reply is lost"


class Client:
    def __init__(self, node):
        self.node, self.number = node, 0
        self.identity = insist(node.log.producer_id, "readings")

    def push(self, value, key=None):
        record, append = (key, value), self.node.log.append
        while True:
            identity = insist(self.node.log.producer_id, "readings")
            try:
                return append("readings", [record], "all", identity, 0, 0)
            except OutcomeUnknown:
                continue


answer = Client
