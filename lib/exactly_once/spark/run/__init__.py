"""Running handlers as tasks of the cluster: a crash is a SIGKILL, and Spark's retry is the next incarnation.

`tasks` runs handlers under a fault plan, `live` until somebody stops them, `twins` several nodes of one;
`cluster_replay` carries out one schedule step for step.
"""
