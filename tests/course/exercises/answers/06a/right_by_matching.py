"""One case after another."""


def answer(request, epoch, known):
    match request, known:
        case "add", None:
            return "INVALID_PRODUCER_ID_MAPPING"
        case "add", _:
            return "PRODUCER_FENCED" if epoch - known else "accept"
        case _, None:
            return "accept"
        case "append", _:
            return "INVALID_PRODUCER_EPOCH" if epoch < known else "accept"
    return "INVALID_PRODUCER_EPOCH" if epoch <= known else "accept"
