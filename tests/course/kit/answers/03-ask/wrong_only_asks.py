from exactly_once.handlers.logs.producer import insist

REASON = "do not come to an end"


def answer(node, record):
    while record.value not in insist(node.output.read):
        continue
