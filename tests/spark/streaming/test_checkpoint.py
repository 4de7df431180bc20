"""What stands in a checkpoint folder, what a restart makes of it, and its picture. No Spark runs here."""

import json

import pytest

from exactly_once import show
from exactly_once.errors import BadInput
from exactly_once.spark import checkpoint_of


def written(folder, planned, committed, versions=0):
    """Write a checkpoint folder as Spark does: batches planned, batches committed, and versions of a state."""
    for part in ("offsets", "commits", "state/0/0"):
        (folder / part).mkdir(parents=True)
    (folder / "metadata").write_text('{"id":"a-query"}')
    for batch in range(planned):
        lines = ["v1", '{"batchWatermarkMs":0}', json.dumps({"hours": batch + 1})]
        (folder / "offsets" / str(batch)).write_text("\n".join(lines))
        (folder / "offsets" / f".{batch}.crc").write_text("")
    for batch in range(committed):
        (folder / "commits" / str(batch)).write_text('v1\n{"nextBatchWatermarkMs":0}')
    for version in range(1, versions + 1):
        (folder / "state" / "0" / "0" / f"{version}.delta").write_bytes(b"")
    return checkpoint_of(folder)


def test_a_batch_that_is_planned_and_not_committed_runs_again(tmp_path):
    found = written(tmp_path, 3, 2, versions=3)
    assert found.offsets == {0: ({"hours": 1},), 1: ({"hours": 2},), 2: ({"hours": 3},)}
    assert (found.query, found.commits, found.state) == ("a-query", (0, 1), {0: (1, 2, 3)})
    assert found.restart == (
        "offsets/2 is there and commits/2 is not: a restart runs batch 2 again, same id, "
        'up to the same offset {"hours": 3}.'
    )
    picture = show.checkpoint(found)
    assert found.restart.replace('"', "&quot;") in picture.html
    assert picture.html.count("eo-missing") == 1
    assert picture.table["batch 1"].tolist() == ['{"hours": 2}', "committed", "version 2"]
    assert picture.text == str(found)


def test_a_committed_batch_does_not(tmp_path):
    found = written(tmp_path, 2, 2)
    assert found.restart.startswith("offsets/1 and commits/1 are both there: a restart goes on with batch 2")
    assert "eo-missing" not in show.checkpoint(found).html


def test_nothing_is_planned_yet(tmp_path):
    found = written(tmp_path, 0, 0)
    assert "begins with batch 0" in found.restart
    assert "batch 0" in show.checkpoint(found).html


def test_there_is_no_folder(tmp_path):
    with pytest.raises(BadInput, match=r"no checkpoint folder .*nowhere. Give the checkpointLocation"):
        checkpoint_of(tmp_path / "nowhere")
    with pytest.raises(BadInput, match="3"):
        checkpoint_of(3)
    with pytest.raises(BadInput):
        show.checkpoint("a folder")
