from exactly_once.errors import OutcomeUnknown

REASON = "One request is lost"


def answer(node, item):
    try:
        version, _ = node.registers.read(item.key)
        node.registers.cas(item.key, version, item.value)
    except OutcomeUnknown:
        return
