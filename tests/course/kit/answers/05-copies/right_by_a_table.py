def answer(rule, kind):
    doubling = {"no rule": ("lost reply", "crash after"), "Kafka's rule, new ids": ("crash after",)}
    return 1 + (kind in doubling.get(rule, ()))
