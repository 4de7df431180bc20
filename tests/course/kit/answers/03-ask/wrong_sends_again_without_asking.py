from exactly_once.handlers.logs.producer import insist

REASON = "One reply is lost. After this schedule the log holds [1, 1]"


def answer(node, record):
    insist(node.output.push, record.value, record.key)
