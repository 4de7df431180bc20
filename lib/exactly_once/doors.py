"""The doors: the modules from which notebooks import, the names in each, and where the library keeps them.

`PAGES` has a line for each name: the name, the module below `exactly_once` that has it (and the name there, if
that is another; nothing after the colon is the module itself), and one sentence. `open_door` makes a package a door:
its names are imported when they are first asked for (PEP 562), so that a door may name what its layer cannot import,
and importing the door stays fast. Other modules work as before.
"""

import importlib
import sys
from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

PAGES = {
    "exactly_once": """
    prove                  explore.prove                     All schedules within bounds, or the smallest that breaks.
    simulate               simulate.simulated_world          One run in this process, under a plan of faults.
    in_turns               simulate.replay                   One run in which you say whose step is next.
    run_on_cluster         spark.run.tasks                   One run as tasks of the Spark cluster, with real deaths.
    replay_on_cluster      spark.run.cluster_replay          One schedule, carried out on the cluster step for step.
    judge                  verdict.verdict                   Compare a run's outcome with the right ones.
    ideal_outcomes         verdict.verdict                   The outcomes that are right for a handler and a job.
    Fault                  faults                            One fault: the step, the input, and what happens there.
    FaultPlan              faults                            The faults of one run.
    Job                    pipeline                          The inputs of a run, and the window of its averages.
    Window                 pipeline                          The last readings, whose average a handler pushes.
    Program                node.program                      A handler with its stores and its input.
    Deployment             node.program                      A program, its number of twins, and its settings.
    deployed_with          node.program                      Say with which stores a handler runs.
    deployment_of          node.program                      The deployment that a handler has.
    runs_as                node.program                      Say of a handler which machine, feeds and source it has.
    Numbers                node.source                       An input of numbered values, in this process.
    LogSource              node.source                       An input from partitions of a log.
    Partition              node.source                       One partition, as an input reads it.
    CellSource             node.source                       An input from a queue of cells.
    CourseError            errors                            An error that says what happened, and what to do.
    OutcomeUnknown         errors                            No reply came: the operation may have happened, or not.
    show                   show:                             Pictures and tables of verdicts, proofs, logs and runs.
    """,
    "exactly_once.claims": """
    claims                 claims.properties                 The article's promises, with proof or counterexample.
    flaws                  claims.sentences                  Sentences of articles that do not hold, each broken.
    """,
    "exactly_once.clocks": """
    Event                  clocks.history                    One event of a history: process, kind, message.
    History                clocks.history                    Events in the order in which they happened.
    random_history         clocks.history                    A history made up by a seed.
    LamportClock           clocks.stamps                     One number that grows with every event and message.
    history_of             trace                             The trace of a run as a history.
    mutual_exclusion       handlers.mutual_exclusion         Lamport's mutual exclusion, as a program of nodes.
    may_enter              handlers.mutual_exclusion         Its rule: who may enter now.
    exchange_messages      spark.experiments.conversation    Messages between real processes of the cluster.
    effects_before_causes  spark.experiments.conversation    The receives that come before their sends.
    """,
    "exactly_once.course": """
    chapter                course.chapter                    Make this kernel ready for a chapter.
    predict                course.kit.predict                A question before the answer.
    gap                    course.kit.gap                    Lines of your own, checked.
    built                  course.kit.built                  Your lines of a chapter before.
    with_servers           course.kit.with_servers           Call a function with the servers that it names.
    exercises              course.exercises:                 Exercises: `open`, `progress`, `hand_in`.
    doctor                 course.setup.doctor:              Look at this machine: `doctor.check()`.
    keep_crash             course.first_crash                Keep the first crash for chapter 01.
    first_crash            course.first_crash                The crash that chapter 00 kept.
    near_the_death         course.first_crash                The events around its first death.
    sorted_by_clocks       course.first_crash                Events in the order of clocks that differ.
    temporary              paths                             A folder for files that may go.
    reset_button           course.reset                      Bring a notebook back as it came.
    shut_down_button       course.shut_down                  End this kernel.
    save_my_work           course.carry                      All of your work as one file.
    bring_back             course.carry                      Put such a file's work back.
    """,
    "exactly_once.handlers": """
    STRATEGIES             handlers                          The strategies by name.
    ORDERS                 handlers.stream.orders            The orders in which a handler can write.
    handler_in_order       handlers.stream.orders            The handler that writes in an order.
    at_least_once          handlers.stream.naive             The state is saved after the outputs.
    at_most_once           handlers.stream.naive             The state is saved before the outputs.
    idempotent_output      handlers.stream.naive             Outputs have numbers, and repetitions are dropped.
    file_sink              handlers.stream.file_sink         Outputs go to files that get their names in one step.
    in_place               handlers.stream.file_sink         The sink that writes into its file.
    two_files              handlers.stream.file_sink         The sink that keeps its position in another file.
    offset_in_sink         handlers.stream.offset_in_sink    The position goes into the sink, with the outputs.
    INDEX                  handlers.stream.offset_in_sink    The cell of that position.
    QUEUE                  handlers.stream.offset_in_sink    The queue of that sink.
    transactional          handlers.stream.transactional     All writes go through a transaction of the log.
    coordinator            handlers.stream.transactional     The log's coordinator, beside that handler.
    two_phase              handlers.stream.two_phase         All writes go through a two-phase commit.
    EPOCH                  handlers.stream.two_phase         The cell that fences its coordinator's zombies.
    prepare                handlers.stream.two_phase         Its first phase.
    take_over              handlers.stream.two_phase         Its fence in both systems.
    lock_free              handlers.stream.lock_free         Twins that write without a lock.
    average                handlers.stream.lock_free         Its function for one hour.
    averages               handlers.stream.lock_free         Its function for the stream.
    structured_streaming   handlers.stream.structured_streaming Micro-batches; the sink keeps the batch id.
    structured_streaming_appending handlers.stream.structured_streaming The same; the sink appends.
    micro_batch            handlers.stream.structured_streaming A driver and its tasks, with three sinks.
    rows_once              handlers.stream.structured_streaming The invariant for their sink.
    consumer               handlers.logs.both_sides          A reader of a log.
    FORMS                  handlers.logs.database_consumer   The forms of a reader with a database.
    insist                 handlers.logs.both_sides          Send until an answer comes.
    burst                  handlers.logs.idempotent          Send several records before the first answer.
    numbered_burst         handlers.logs.idempotent          The same with numbers.
    deleting               handlers.logs.idempotent          A producer beside which the log deletes records.
    kept_id                handlers.logs.idempotent          A producer that keeps its id over its incarnations.
    operator               handlers.logs.idempotent          The operator who deletes.
    readings               handlers.logs.idempotent          The records that these producers send.
    Bank                   handlers.transfer                 Accounts and the programs that transfer between them.
    Chain                  handlers.transfer                 Orders that a withdrawal and a deposit carry out.
    STAGES                 handlers.transfer                 The stages of a transfer.
    bank_of                handlers.transfer                 The name of an account's own store.
    in_one_transaction     handlers.transfer                 Both accounts in one transaction.
    twice                  handlers.transfer                 Each account twice, by version.
    twice_by_value         handlers.transfer                 Each account twice, by value.
    under_locks            handlers.transfer                 Both accounts under locks.
    """,
    "exactly_once.lockfree": """
    Queue                  lockfree.queue                    The lock-free queue of cells.
    EMPTY                  lockfree.queue                    The value of a cell that nobody has filled.
    cell                   lockfree.queue                    The name of a cell of a queue.
    emptied                lockfree.queue                    The value of a cell that a sweeper has emptied.
    is_emptied             lockfree.queue                    Whether a value is such a one.
    cas                    lockfree.cas:                     Programs that compare and swap.
    progress               lockfree.progress:                Spinlock, lock-free and wait-free programs.
    pushers                lockfree.pushers:                 Programs that push, sweep and read, and their invariants.
    assembled              lockfree.general                  Handlers of the learner's transitions and loop.
    cells_of               lockfree.pushers                  The cells of a queue in a state.
    contend                lockfree.contention               Real processes that contend for a register.
    ForgettingQueue        lockfree.flawed                   A queue that forgets what it emptied.
    flawed                 lockfree.flawed:                  The machine and the queue, each with one mistake.
    AnsweredQueue          lockfree.weaker                   A queue whose refusals tell the value.
    ByValue                lockfree.weaker                   Registers compared by value.
    Forgetful              lockfree.weaker                   Registers that forget.
    stale_reads            lockfree.weaker                   Reads that may be old.
    Memory                 lockfree.queue                    Registers in the memory of threads.
    stateless              lockfree.stateless                The machine that keeps its state in a register.
    hourly_means           lockfree.stateless                The means of the hours, as a function of the machine.
    mean                   lockfree.stateless                The mean of readings.
    follow_stage           lockfree.stateless                One step of the machine.
    general                lockfree.general                  The machine with several inputs and outputs.
    Given                  lockfree.queue                    Queues that are filled before a run begins.
    Estimate               lockfree.estimate                 How long until no node is left.
    """,
    "exactly_once.log": """
    open_log               log.client.open                   Open a log in memory or in files.
    Producer               log.client.clients                A client that sends.
    Consumer               log.client.clients                A client that reads.
    Pair                   log.storage.records               A key and a value.
    murmur2                log.client.partitioner            Kafka's hash of a key.
    partition_for          log.client.partitioner            The partition of a key.
    LogError               log.log_errors                    The family of the log's errors.
    ConcurrentTransactions log.log_errors                    The transaction before is not yet ended.
    DuplicateSequence      log.log_errors                    A record that was appended before.
    InvalidProducerEpoch   log.log_errors                    A request of a producer's former incarnation.
    InvalidTxnState        log.log_errors                    A request that does not fit the transaction.
    NotEnoughReplicas      log.log_errors                    Too few replicas are in sync.
    OffsetOutOfRange       log.log_errors                    An offset that the log does not have.
    OutOfOrderSequence     log.log_errors                    A record's number leaves a gap.
    TimedOut               log.log_errors                    No answer came in time; the same call is made again.
    ProducerFenced         log.log_errors                    Another incarnation has this producer's id.
    UnstableOffsetCommit   log.log_errors                    The group's position is in an open transaction.
    replicated_log         handlers.logs.replicated_log      A partition with replicas, as a program.
    as_invariant           handlers.logs.replicated_log      A rule about acknowledged records as an invariant.
    what_happened          handlers.logs.replicated_log      The events of a counterexample.
    what_is_left           handlers.logs.replicated_log      The log at the end of a counterexample.
    transaction_protocol   handlers.transaction_protocol     Kafka's transactions, as a program.
    as_the_abstract_store  handlers.transaction_protocol     A rule that compares them with the abstract store.
    a_run                  handlers.transaction_protocol     One run of the protocol without faults.
    HISTORY                handlers.transaction_protocol     The version of the protocol that keeps a history.
    MUTANTS                handlers.transaction_protocol     The protocol with one rule left out.
    VERSIONS               handlers.transaction_protocol     The protocol's versions.
    abstract               log.transactions.abstract:        Transactions as a store that commits in one step.
    LogRequests            log.transactions.log_requests     What a transactional client asks of the log.
    CHANGELOG              node.node                         The topic of a handler's state.
    GROUP                  node.node                         The group of its positions.
    OUTPUT                 node.node                         The topic of its outputs.
    """,
    "exactly_once.show": "",
    "exactly_once.spark": """
    cluster                spark.cluster.cluster             Start the cluster, or return the one that runs.
    stop_cluster           spark.cluster.cluster             Stop the cluster.
    LiveRun                spark.run.live                    A run on the cluster that you watch and strike.
    run_many               spark.run.tasks                   Many runs in one job.
    kill_the_leader        spark.experiments.brokers         Kill the leading broker while a producer sends.
    delivery_table         spark.experiments.delivery        What became of the records, as a table.
    draw_faults            handlers.logs.prediction          The faults of such a delivery, drawn by a seed.
    numbered_table         spark.experiments.delivery        Appends of numbered records, as a table.
    SENDERS                handlers.logs.prediction          The senders of those.
    draw_appends           handlers.logs.prediction          Their appends and faults, drawn by a seed.
    waits                  spark.experiments.waits           How long records wait when a node is struck.
    waits_of_two_phase     spark.experiments.waits           The same for two-phase commit.
    run_query              spark.streaming.query             A streaming query in a driver that you kill at places.
    append                 spark.streaming.sinks             Add a batch's rows to a database, without a commit.
    drop_hours             spark.streaming.averages          Drop the files that it reads, one an hour.
    kill_in_the_sink       spark.streaming.in_the_sink       Kill the tasks of a query in the sink's write.
    checkpoint_of          spark.streaming.checkpoint        What the engine has written into a checkpoint folder.
    broken_conditions      spark.streaming.conditions        Each condition of exactly-once broken once, as a table.
    """,
    "exactly_once.costs": """
    counted                costs.counted                     What a handler asks of its stores for a record.
    predicted              costs.counted                     How long that takes on stores of a latency.
    measured               costs.measured                    A handler's nodes on real stores, timed.
    compare_costs          costs.spread:compared             Cases in shuffled rounds, as ratios with their spread.
    batched                costs.measured                    Consume, transform, produce, with a commit interval.
    """,
    "exactly_once.servers": """
    stop_servers           servers.process                   Stop the servers that this notebook has started.
    EtcdKeys               servers.etcd                      The keys of an etcd cluster, with their numbers.
    KafkaLog               log.kafka.kafka_log               A Kafka cluster behind the methods of the course's log.
    LibrdkafkaProducer     log.kafka.librdkafka_producer:TransactionalProducer Transactions over confluent-kafka.
    commit_times_out       chapters.ch13.commits             A commit whose outcome is unknown, called again.
    hanging_transaction    chapters.ch13.trials.transactions A transaction that nobody ends, found and ended.
    diagnose               chapters.ch13.diagnosis           What holds a partition back from its readers.
    rebalance              chapters.ch13.trials.rebalance    A member of a group goes with a transaction open.
    restarted_window       chapters.ch13.trials.transactions What a broker knows of a producer after a restart.
    in_doubt               servers.postgresql                A prepared transaction whose coordinator is dead.
    kill_the_stores_leader spark.experiments.election        Twins over three members of etcd, whose leader dies.
    """,
    "exactly_once.stores": """
    MemoryStore            stores.interface                  A store in this process.
    SerializationFailure   stores.isolation                  A transaction was rolled back, and has to run again.
    decode                 stores.codec                      The value of a stored text.
    levels_and_forms       chapters.ch07.levels_and_forms    What isolation levels do to the forms of a transaction.
    """,
    "exactly_once.widgets": """
    crash_console          widgets.console.console_widget    Strike a handler at a place, and look at the verdict.
    debugger               widgets.debug.debug_widget        One run, step by step.
    adversary              widgets.adversary.adversary_widget Choose whose step is next, and break a handler.
    clock_playground       widgets.playground.playground_widget Events and messages with their stamps.
    transaction_timeline   widgets.timeline.timeline_widget  A transaction between producer, coordinator and leader.
    stop                   chapters.ch11.stop                What becomes of a run that is stopped.
    stops                  chapters.ch11.stop                The same stop at every letter, as a table.
    twins                  widgets.twins.twins_widget        Two nodes that handle the same inputs.
    scene                  chapters.scenes                   The scene of a chapter: choose, step, strike.
    play                   widgets.player.player_widget      A scene as a widget: step, run, sleep, kill, undo.
    Scene                  widgets.player.scene              What a chapter gives the player.
    Choice                 widgets.player.scene              One choice of a scene, and its values.
    Question               widgets.player.scene              What a scene asks before its first step.
    price_lab              widgets.price                     What a step of the lock-free handler costs, with sliders.
    Price                  widgets.price                     The price of a step, as a value.
    cost_lab               widgets.price                     Records a second of all strategies, with sliders.
    """,
}


class Name(NamedTuple):
    """One name of a door: the library's module, the name there ("" for the module itself), and a sentence."""

    module: str
    attribute: str
    line: str

    def found(self) -> Any:
        """Import and return the object."""
        module = importlib.import_module(self.module)
        return vars(module)[self.attribute] if self.attribute else module


def names_of(page: str) -> dict[str, Name]:
    """Return the names on a page, each with where it is and its sentence."""
    names = {}
    for row in page.strip().splitlines():
        name, place, line = row.split(maxsplit=2)
        module, colon, attribute = place.partition(":")
        names[name] = Name(f"exactly_once.{module}", attribute if colon else name, line)
    return names


DOORS = {door: names_of(page) for door, page in PAGES.items()}
BESIDE: dict[str, dict[str, Name]] = {}  # by door: names that the library uses, and notebooks find without a page
RENAMED = {"exactly_once.show": {"two_storeys": "two_levels"}}  # by door: the name in older copies, and the name now

OLDER = (
    "If an older copy of a notebook asks for it, it has left the course: the button at the end of the notebook "
    "brings the notebook as it is now, and keeps yours."
)


class Door(ModuleType):
    """A module whose names are imported when they are first asked for."""

    def __getattr__(self, name: str) -> Any:
        """Import and return a name of the door, or by its former name; others are refused with the nearest name."""
        name = RENAMED.get(self.__name__, {}).get(name, name)
        if name in vars(self):
            return vars(self)[name]
        where = DOORS[self.__name__].get(name) or BESIDE[self.__name__].get(name)
        if where is not None:
            try:
                return where.found()  # not kept: the explorer asks whether a module has changed
            except ModuleNotFoundError as why:
                from .errors import missing

                raise missing(why.name) or why from None
        text = f"{self.__name__} has no {name}.{_nearest(name, self.__name__)}"
        if _is_imported_from(sys._getframe(1)):  # Python would replace the text of an AttributeError there
            raise ImportError(text, name=self.__name__, path=self.__file__)
        raise AttributeError(text, name=name, obj=self)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute. Python sets a submodule where it is imported: a name of the door stays what it is."""
        if not (name in _known(self.__name__) and getattr(value, "__name__", "") == f"{self.__name__}.{name}"):
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Pickle the door by its name, as pickle's extensions do it with exact modules."""
        return importlib.import_module, (self.__name__,)

    def __dir__(self) -> list[str]:
        """Return the names that there are and those that can be imported."""
        return sorted({*super().__dir__(), *DOORS[self.__name__], *BESIDE[self.__name__]})


def _known(door: str) -> list[str]:
    """Return the names that a door has: a submodule takes none."""
    return [*DOORS[door], *BESIDE[door]]


def open_door(name: str, beside: Mapping[str, str] = MappingProxyType({})) -> None:
    """Make the module of this name a door: give it its names, also for `import *`, and their lines at the end of its
    docstring. `beside` are more names: {module below this one: its names with blanks between}.
    """
    module = sys.modules[name]
    BESIDE[name] = {one: Name(f"{name}.{place}", one, "") for place, ones in beside.items() for one in ones.split()}
    for known in _known(name):  # what is imported below a door sets its submodules there
        if getattr(vars(module).get(known), "__name__", "") == f"{name}.{known}":
            delattr(module, known)
    lines = [f"{known:<24} {where.line}" for known, where in DOORS[name].items()]
    module.__doc__ = "\n".join([(module.__doc__ or "").rstrip(), "", *lines, ""])
    module.__all__ = list(DOORS[name])  # type: ignore[attr-defined]  # and no submodule, such as widgets.price
    module.__class__ = Door


def _is_imported_from(frame: Any) -> bool:
    """Return whether the frame is in `from … import name`."""
    import dis  # here, as `difflib` below: importing the package stays fast

    return frame.f_lasti >= 0 and dis.opname[frame.f_code.co_code[frame.f_lasti]] == "IMPORT_FROM"


def _nearest(name: str, door: str) -> str:
    """Return a sentence with the door that has this name, or with the nearest name of this door."""
    from difflib import get_close_matches

    for other, names in DOORS.items():
        if name in names:
            return f" It has another door: from {other} import {name}"
    near = get_close_matches(name, dir(sys.modules[door]), 1)
    return f" The nearest name there is {near[0]}." if near else f" help({door}) lists its names. {OLDER}"
