"""Each stamp asked of its causes."""


def answer(logs):
    sends = {
        message: (process, number)
        for process, log in logs.items()
        for number, (kind, message) in enumerate(log)
        if kind == "send"
    }

    def stamp(process, number):
        if number < 0:
            return 0
        kind, message = logs[process][number]
        causes = [stamp(process, number - 1)]
        if kind == "receive":
            causes.append(stamp(*sends[message]))
        return max(causes) + 1

    found = [(stamp(process, number), process) for process in logs for number in range(len(logs[process]))]
    return sorted(found, key=lambda pair: (pair[0], pair[1]))
