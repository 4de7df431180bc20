"""`my_work_buttons()`: download your work and bring it back; and the notice that a session on Binder begins with."""

import os
from datetime import datetime
from typing import TYPE_CHECKING

from ..reset import Report
from . import carry, file

if TYPE_CHECKING:
    from ...widgets.carry.widget import Carry

BINDERS = ("BINDER_SERVICE_HOST", "BINDER_LAUNCH_HOST", "BINDER_REPO_URL")  # variables that Binder sets in a session
ON_BINDER = (
    "This session runs on Binder. It ends ten minutes after you stop working, even if its page stays open, and after "
    "six hours at the latest. Then everything in it is gone.",
    "Before you stop: save the notebook (Ctrl-S), then download your work as one file. In a new session, bring the "
    "file back here.",
)
HERE = ("Save open notebooks first (Ctrl-S): the file holds them as they were last saved.",)


def on_binder() -> bool:
    """Tell whether this is a session on Binder."""
    return any(os.environ.get(name) for name in BINDERS)


def my_work_buttons() -> "Carry":
    """Return two controls: one downloads all of your work as one file, one brings such a file back.

    They do what `save_my_work` and `bring_back` do.
    """
    from ...widgets.carry.model import CarryModel
    from ...widgets.carry.widget import Carry

    return Carry(CarryModel(_pack, _put_back, file.MOST_BYTES), ON_BINDER if on_binder() else HERE)


def _pack() -> tuple[str, bytes, str]:
    data, number = file.packed(), len(file.own_files())
    name = f"my-work-{datetime.now():%Y-%m-%d-%H%M}.zip"
    if not number:
        return (
            name,
            data,
            f"{name} has nothing in it yet: nothing is answered, changed or run here, or nothing is saved.",
        )
    told = "one file" if number == 1 else f"{number} files"
    return name, data, f"{name} holds {told} of yours ({len(data) / 1e6:.1f} MB). Look for it among your downloads."


def _put_back(data: bytes) -> Report:
    return carry.put_back(data)
