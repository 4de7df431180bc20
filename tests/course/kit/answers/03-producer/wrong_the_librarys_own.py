from exactly_once.handlers.logs import producer

REASON = "hands the work to the library's producer_that_retries"


def answer(node):
    return producer.producer_that_retries(node)
