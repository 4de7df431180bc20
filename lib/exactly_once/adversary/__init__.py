"""A game in which a person is the scheduler, and tries to break a handler.

`outlook` says what a run can still come to: a right end, or none. `play` has the position after each decision, and
`safe_play` asks for it in the child process. The game's page is in `widgets.adversary`.
"""

from .play import Cost, Position, look, run_out, simplest, told
