REASON = "the log holds it once"


def answer(rule, kind):
    if kind in ("lost request", "crash before"):
        return 1
    return {"no rule": 2, "the article's rule": 0, "Kafka's rule": 1}.get(rule, 1 + (kind == "crash after"))
