"""What a guarantee costs: operations on stores, counted in the simulated world, and the time that they take.

`counted` counts what a handler asks of its stores for a record, and turns that into seconds, records a second, and
what a rate needs. `measured` times a handler on real stores, and a pipeline on the course's log; `spread` compares
cases, and says how sure that is.
"""

from ..doors import open_door

open_door(__name__)
