"""Nobody stands before, and the earliest last word is later."""


def answer(request, queue, heard):
    for other in queue:
        if other < request:
            return False
    return min(heard.values()) > request[0]
