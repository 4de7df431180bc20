REASON = "elect one of the brokers"


def answer(in_sync, alive, ends):
    return [broker for broker in in_sync if broker in alive]
