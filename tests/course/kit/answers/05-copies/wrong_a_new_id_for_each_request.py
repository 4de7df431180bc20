REASON = "the log holds it once"


def answer(rule, kind):
    return 2 if rule in ("no rule", "Kafka's rule, new ids") and kind in ("lost reply", "crash after") else 1
