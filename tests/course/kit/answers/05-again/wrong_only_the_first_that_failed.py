from exactly_once.errors import OutcomeUnknown
from exactly_once.log.errors import DuplicateSequence, OutOfOrderSequence

REASON = "One request is lost"


def answer(node, sent):
    missing = []
    for record in sent:
        try:
            node.log.acknowledgement()
        except DuplicateSequence:
            pass
        except (OutcomeUnknown, OutOfOrderSequence):
            missing.append(record)
    return missing[:1]
