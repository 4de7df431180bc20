"""One Spark cluster: `cluster` says when it starts and ends, `session` how, `driver` is its Java process.

`lease` keeps it to one a machine, `handover` gives an idle one to another notebook, `java` finds the Java,
`processes` knows and kills its processes, `archive` makes the start quick, `daemon` is what an executor's Python
workers come from.
"""
