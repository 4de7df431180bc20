"""Case files: small scripts for a Kafka-like broker, each with Kafka's answers, run against this log.

`reading` checks a file, `driver` carries out its operations, `judging` compares, `command` is the command line.
"""
