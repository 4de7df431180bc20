from exactly_once.errors import OutcomeUnknown

REASON = "One request is lost. After this schedule the log holds [1], and should hold [1, 2]"


def answer(node, record):
    try:
        node.output.push(record.value, record.key)
    except OutcomeUnknown:
        return
