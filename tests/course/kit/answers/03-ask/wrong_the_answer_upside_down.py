from exactly_once.errors import OutcomeUnknown
from exactly_once.handlers.logs.producer import insist

REASON = "One request is lost"


def answer(node, record):
    try:
        node.output.push(record.value, record.key)
    except OutcomeUnknown:
        if record.value in insist(node.output.read):
            node.output.push(record.value, record.key)
