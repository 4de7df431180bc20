from exactly_once.errors import OutcomeUnknown

REASON = "OutOfOrderSequence"


def answer(node, sent):
    missing = []
    for record in sent:
        try:
            node.log.acknowledgement()
        except OutcomeUnknown:
            missing.append(record)
    return missing
