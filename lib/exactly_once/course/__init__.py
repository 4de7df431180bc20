"""Tools around the notebooks: set-up (`setup`, `lab`), the environment check (`doctor`), chapters and their reset.

`make` calls `setup` and `lab`; the command line calls `doctor` and `reset`. They import other packages
late, so that they can still report a broken installation.
"""

from ..doors import open_door

open_door(__name__)
