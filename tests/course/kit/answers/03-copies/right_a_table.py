def answer(retry, kind):
    return {"lost request": 0, "lost reply": 1, "crash before": 0, "crash after": 1}[kind] + (retry == "retry")
