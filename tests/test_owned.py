"""Temporary folders tell whose they are, and what a killed process leaves is swept."""

import os

from exactly_once.handlers import at_least_once
from exactly_once.owned import PROOFS, me, new_folder
from exactly_once.paths import temporary
from exactly_once.sandbox import prove_safely


def test_a_proof_sweeps_what_a_killed_kernel_left_and_nothing_of_one_that_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path))
    mine = new_folder(PROOFS, "proof")
    assert mine.name.startswith(f"proof-{me().pid}-{me().start}-")
    left = temporary(PROOFS) / f"proof-{os.getpid()}-1000000000-abc"
    left.mkdir()
    prove_safely(at_least_once, items=1, crashes=0)
    assert list(temporary(PROOFS).iterdir()) == [mine]
