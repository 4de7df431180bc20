"""Later by stamp and node: a message with the same stamp from a larger node is later, too."""


def answer(request, queue, heard):
    return sorted(queue)[0] == request and all((stamp, node) > request for node, stamp in heard.items())
