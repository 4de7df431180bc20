REASON = "the log holds it once"


def answer(rule, kind):
    return 2 if rule == "no rule" or (rule == "Kafka's rule, new ids" and kind == "crash after") else 1
