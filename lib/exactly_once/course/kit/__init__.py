"""The reader's part in a chapter: `predict(…)`, a question before the answer; `gap(…)`, lines of the reader's own;
`built(…)`, such lines of an earlier chapter; `with_servers`, a cell that needs real servers.

from exactly_once.course import built, gap, predict, with_servers
"""

from .built import built
from .gap import gap
from .predict import predict
from .with_servers import with_servers
