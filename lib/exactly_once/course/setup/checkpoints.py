"""Where JupyterLab keeps its checkpoints of notebooks: in the course's temporary folder, not beside the notebooks."""

import os
from pathlib import Path

from jupyter_server.services.contents.filecheckpoints import AsyncFileCheckpoints

from ...paths import temporary


class Checkpoints(AsyncFileCheckpoints):
    """Jupyter's own checkpoints, with another place: a tree like the course's, so that equal names do not meet."""

    def checkpoint_path(self, checkpoint_id, path):
        """Return the file of one checkpoint; `path` is the notebook's, seen from the course's root, with slashes."""
        name = Path(path.strip("/"))
        parents = [part for part in name.parent.parts if part not in ("", os.curdir, os.pardir)]
        return str(temporary("jupyter", "checkpoints", *parents) / f"{name.stem}-{checkpoint_id}{name.suffix}")
