"""An idle notebook hands its cluster over by itself; a busy one keeps it, and no job of its dies. Real kernels."""

import pytest

from exactly_once.spark.cluster.processes import command_line, our_processes

from ..run.kernel import Kernel

pytestmark = [pytest.mark.not_by_day, pytest.mark.cluster]
UNTIL = "while not os.path.exists({!r}): time.sleep(0.02)"
COUNT = "assert cluster('local[1]').range(3).count() == 3"


@pytest.fixture
def kernel():
    """Make kernels; end them after the test."""
    made = []

    def make(name, **variables):
        made.append(Kernel(name, **variables))
        return made[-1]

    yield make
    for one in made:
        one.leave()


def javas(kernel):
    return {one.pid for one in our_processes(kernel.pid) if "deploy.SparkSubmit" in " ".join(command_line(one))}


@pytest.mark.slow
def test_an_idle_notebook_hands_over_and_gets_it_back_in_the_same_way(kernel):
    first, second = kernel("00-first.ipynb"), kernel("01-second.ipynb")
    first.ask(f"spark = cluster('local[1]')\n{COUNT}")
    second.ask(COUNT)
    assert javas(first) == set()
    said = second.heard("one starts here.")
    assert (
        f"The cluster of the notebook 00-first.ipynb (process {first.pid}), which was idle, was stopped there" in said
    )
    said = first.heard("in the same way.")
    assert "while this notebook was idle, its cluster went to the notebook 01-second.ipynb" in said
    name, said = first.fails("running()")
    assert name == "CourseError"
    assert f"its cluster went to the notebook 01-second.ipynb (process {second.pid}). Call cluster()." in said
    first.ask(COUNT)
    assert javas(second) == set()
    second.heard("went to the notebook 00-first.ipynb")


@pytest.mark.slow
def test_a_running_cell_keeps_the_cluster_whether_it_blocks_or_awaits(kernel, tmp_path):
    first, second = kernel("00-first.ipynb"), kernel("01-second.ipynb")
    first.ask(COUNT)
    for number, wait in enumerate([UNTIL, UNTIL.replace("time.sleep", "await asyncio.sleep")]):
        mark = tmp_path / str(number)
        running = first.begin(f"import asyncio\nspark = cluster()\n{wait.format(str(mark))}\n{COUNT}")
        name, said = second.fails(COUNT)
        assert name == "ClusterBusy"
        assert f"the notebook 00-first.ipynb (process {first.pid}), and a cell runs there. Stop it there" in said
        mark.touch()
        assert first.answer(running) == "ok"
    second.ask(COUNT)


@pytest.mark.slow
def test_a_notebook_between_two_cells_of_run_all_keeps_it(kernel):
    first, second = kernel("00-first.ipynb"), kernel("01-second.ipynb")
    first.ask("spark = cluster('local[1]')")
    cells = [first.begin("time.sleep(0.3)\nassert spark.range(3).count() == 3") for _ in range(20)]
    assert second.fails(COUNT)[0] == "ClusterBusy"
    assert [first.answer(cell) for cell in cells] == ["ok"] * 20


@pytest.mark.slow
def test_a_thread_that_asked_for_the_cluster_and_a_job_keep_it(kernel, tmp_path):
    first, second = kernel("00-first.ipynb"), kernel("01-second.ipynb")
    first.ask("spark = cluster('local[1]')")
    first.ask(f"def work():\n    cluster()\n    {UNTIL.format(str(tmp_path / 'thread'))}")
    first.ask("thread = threading.Thread(target=work)\nthread.start()")
    assert "a console or a thread there is at work with it" in second.fails(COUNT)[1]
    (tmp_path / "thread").touch()
    first.ask("thread.join()")
    alive = f"__import__('os').path.exists({str(tmp_path / 'job')!r})"
    job = f"spark.sparkContext.parallelize([1], 1).mapPartitions(lambda _: iter(lambda: {alive}, True)).count()"
    first.ask(f"def work():\n    done.append({job})")
    first.ask("done = []\nthread = threading.Thread(target=work)\nthread.start()")
    first.ask("while not spark.sparkContext.statusTracker().getActiveJobsIds(): time.sleep(0.02)")
    assert "a Spark job runs there" in second.fails(COUNT)[1]
    (tmp_path / "job").touch()
    first.ask("thread.join()\nassert len(done) == 1")
    second.ask(COUNT)


@pytest.mark.slow
def test_an_early_start_is_waited_for_and_is_the_only_one(kernel):
    first = kernel("00-first.ipynb")
    first.ask("start_early()")
    first.ask("spark = cluster()\nassert spark.range(3).count() == 3")
    assert len(javas(first)) == 1
    before = javas(first)
    first.ask("start_early(slots=4)\nwhile any(one.name == EARLY for one in threading.enumerate()): time.sleep(0.02)")
    assert javas(first) == before
