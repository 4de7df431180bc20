"""Temporary folders tell whose they are, and what a killed process leaves is swept."""

import os

from exactly_once.handlers import at_least_once
from exactly_once.owned import PROOFS, Owner, me, new_folder, sweep
from exactly_once.paths import temporary
from exactly_once.sandbox import prove_safely


def test_a_folder_is_swept_when_its_owner_is_dead_and_not_before(tmp_path, monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path))
    mine = new_folder(PROOFS, "proof")
    assert mine.name.startswith(f"proof-{me().pid}-{me().start}-")
    sweep(PROOFS)
    assert mine.exists()
    monkeypatch.setattr(Owner, "alive", lambda owner: False)
    sweep(PROOFS)
    assert not mine.exists()


def test_a_proof_sweeps_what_a_killed_kernel_left(tmp_path, monkeypatch):
    monkeypatch.setenv("EXACTLY_ONCE_TMP", str(tmp_path))
    left = temporary(PROOFS) / f"proof-{os.getpid()}-1000000000-abc"
    left.mkdir()
    prove_safely(at_least_once, items=1, crashes=0)
    assert list(temporary(PROOFS).iterdir()) == []
