from exactly_once.handlers.logs.producer import insist

REASON = "it should hold each record once"


def answer(node, record):
    node.output.push(record.value, record.key)
    if record.value in insist(node.output.read):
        node.output.push(record.value, record.key)
