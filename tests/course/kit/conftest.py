"""A learner's folder for each test."""

import pytest


@pytest.fixture(autouse=True)
def mine(tmp_path, monkeypatch):
    """The folder that stands for `my-work/`."""
    monkeypatch.setenv("EXACTLY_ONCE_WORK", str(tmp_path / "mine"))
    return tmp_path / "mine"
