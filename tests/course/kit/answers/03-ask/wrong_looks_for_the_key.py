from exactly_once.errors import OutcomeUnknown
from exactly_once.handlers.logs.producer import insist

REASON = "One reply is lost"


def answer(node, record):
    try:
        node.output.push(record.value, record.key)
    except OutcomeUnknown:
        if record.key not in insist(node.output.read):
            insist(node.output.push, record.value, record.key)
        else:
            return
    if insist(node.output.read).count(record.value) > 1:
        insist(node.output.push, record.value, record.key)
