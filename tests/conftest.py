"""What all tests share: everything they write goes below the course's temporary folder."""

import os

import hypothesis
from hypothesis.configuration import set_hypothesis_home_dir

from exactly_once.paths import temporary

os.environ.setdefault("IPYTHONDIR", str(temporary("ipython")))  # kernels would otherwise make ~/.ipython
set_hypothesis_home_dir(temporary("hypothesis"))
hypothesis.settings.register_profile("course", deadline=None)  # a busy machine is no failure
hypothesis.settings.load_profile("course")


def pytest_configure(config):
    """Put the folders of `tmp_path` there too; pytest keeps those of the last three runs."""
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(temporary("tests")))
    os.environ["EXACTLY_ONCE_WORK"] = str(temporary("tests", "my-work"))  # and none touches the learner's own
