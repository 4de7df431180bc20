"""What a guarantee costs: operations on stores, counted in the simulated world, and the time that they take.

`counted` counts the requests of a handler to its stores for each record, and turns the counts into seconds, records a
second, and the partitions that a rate needs. `measured` times a handler on real stores, and a pipeline on the
course's log; `spread` compares cases, with an interval of confidence.
"""

from ..doors import open_door

open_door(__name__)
