"""The log's brokers as processes of their own, each with its own file, that talk over the loopback.

`broker` is the code of such a process, `controller_process` watches the processes and has leaders elected, `client`
sends records; `connections` carries their messages. The rules are those of `log.broker`.
"""
