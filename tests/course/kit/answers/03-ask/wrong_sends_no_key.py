from exactly_once.errors import OutcomeUnknown
from exactly_once.handlers.logs.producer import insist

REASON = "record 1 is in the log under the key None"


def answer(node, record):
    while True:
        try:
            return node.output.push(record.value)
        except OutcomeUnknown:
            if record.value in insist(node.output.read):
                return None
