"""Whether a wrong answer is right for one item: the smallest case, one of several entries, a run without faults."""

from exactly_once.exercises import TASKS
from exactly_once.exercises.ch01 import e01a_stamps as e01a
from exactly_once.exercises.ch01 import e01b_survives as e01b
from exactly_once.exercises.ch01 import e01f_half_the_messages as e01f
from exactly_once.exercises.ch01 import e01g_causal_broadcast as e01g
from exactly_once.exercises.ch02 import e02d_resume as e02d
from exactly_once.exercises.ch02 import e02g_replica as e02g
from exactly_once.exercises.ch03 import e03a_predict as e03a
from exactly_once.exercises.ch03 import e03b_workers as e03b
from exactly_once.exercises.ch03 import e03c_newest as e03c
from exactly_once.exercises.ch03 import e03e_end_to_end as e03e
from exactly_once.exercises.ch04 import e04a_predict as e04a
from exactly_once.exercises.ch04 import e04e_plan as e04e
from exactly_once.exercises.ch04 import rules
from exactly_once.exercises.ch05 import e05b_repair as e05b
from exactly_once.exercises.ch05 import e05c_refused as e05c
from exactly_once.exercises.ch05 import e05e_broker as e05e
from exactly_once.exercises.ch06 import e06d_recover as e06d
from exactly_once.exercises.ch06 import e06f_client as e06f
from exactly_once.exercises.ch06.cluster import calm as calm_program
from exactly_once.exercises.ch07 import e07a_where as e07a
from exactly_once.exercises.ch07 import e07b_forgotten as e07b
from exactly_once.exercises.ch07 import e07e_two_tables as e07e
from exactly_once.exercises.ch07.sinks import promised
from exactly_once.exercises.ch08 import e08a_order as e08a
from exactly_once.exercises.ch08 import e08b_two_accounts as e08b
from exactly_once.exercises.ch08 import e08d_auditor as e08d
from exactly_once.exercises.ch08 import e08e_never_lost as e08e
from exactly_once.exercises.ch09 import e09a_hint as e09a
from exactly_once.exercises.ch09 import e09b_push as e09b
from exactly_once.exercises.ch09 import e09d_reader as e09d
from exactly_once.exercises.ch09 import e09e_set as e09e
from exactly_once.exercises.ch09 import worlds as on_registers
from exactly_once.exercises.ch10 import e10a_database as e10a
from exactly_once.exercises.ch10 import e10b_push_once as e10b
from exactly_once.exercises.ch10 import e10c_prepare as e10c
from exactly_once.exercises.ch10 import e10e_general as e10e
from exactly_once.exercises.ch11 import e11b_mutant as e11b
from exactly_once.exercises.ch11 import e11c_decision as e11c
from exactly_once.exercises.ch12 import e12b_upsert as e12b
from exactly_once.exercises.ch12 import e12d_two_databases as e12d
from exactly_once.exercises.ch12.micro_batches import MicroBatches
from exactly_once.exercises.ch13 import e13b_payment as e13b
from exactly_once.exercises.ch13.struck import ran
from exactly_once.exercises.ch14 import e14b_budget as e14b
from exactly_once.exercises.kinds.cases import Cases
from exactly_once.exercises.kinds.run_answer import answers, called, calm, proved
from exactly_once.explore.plain import carried_out, explore
from exactly_once.handlers.mutual_exclusion import in_order_of_requests
from exactly_once.node import Program
from exactly_once.stores.codec import encode


def is_right_for_one(name, answer):
    """Tell whether an answer to the exercise `name` is right for one item of it. Raises `CourseError` for some."""
    task = TASKS[name]
    if isinstance(task, Cases):
        return the_first_case(task, answer)
    return BY_HAND[name](answer)


def the_first_case(task, answer):
    """The answer to the smallest case is right."""
    cases = task.cases() if callable(task.cases) else task.cases
    told = answers(answer, [task.arguments(*case) for case in cases])
    fine, said = told[0]
    return fine and task.objection(*cases[0], said, *([told] if task.sees_all else [])) is None


def a_line_of_stamps(answer):
    """The stamps of one whole process are right."""
    said = e01a.read(answer)
    rows = e01a.BY_HAND.rows.values()
    return any(all(said[place] == e01a.BY_HAND.lamport[place] for place in row) for row in rows)


def no_crash(answer):
    """The stamps are right in a life that nothing happens to."""
    return proved(e01b.process_with(answer), e01b.never_back, e01b.JOB, crashes=0).ok


def one_broadcast(answer):
    """The smallest group is served."""
    return not explore(e01g.Group(answer, **e01g.WORLDS[0])).sentence


def two_nodes(answer):
    """Two nodes that enter once each do so one at a time, and in order."""
    program = e01f.peers_with(answer, *e01f.WORLDS[0])
    return proved(program, in_order_of_requests, e01f.Job(items=1), nodes=2, crashes=0).ok


def whole_logs(answer):
    """A log from which nothing is gone is read to its end."""
    return all(e02d._objection(case, called(e02d.tried, answer, case)) is None for case in e02d.CASES[:2])


def replicas_without_faults(answer):
    """Two records are copied and acknowledged, if nothing goes wrong."""
    return e02g.TASK._calm(answer)[0].sentence == ""


def three_settings(answer):
    """What is lost and doubled is right for three of the four settings."""
    said, found = e03a.read(answer), e03a._found()
    return sum(said[setting] == found[setting] for setting in e03a.SETTINGS) >= 3


def finished_in_order(answer):
    """The position is right while the workers finish in order."""
    cases = [(0, [0, 1, 2], [0, 1, 2][:count]) for count in range(4)]
    told = answers(answer, [list(case) for case in cases])
    return all(fine and e03b.objection(*case, said) is None for case, (fine, said) in zip(cases, told, strict=True))


def newest_without_faults(answer):
    """The newest reading is there in the end, if nothing goes wrong."""
    return proved(e03c.consumer_with(answer), e03c.newest, e03c.JOB, crashes=0).ok


def booked_without_faults(answer):
    """Each payment is booked once, if nothing goes wrong."""
    return e03e.TASK.worlds[1].prove(answer)[1].ok


def three_entries(answer):
    """Three of the four predictions are right."""
    said, damage = e04a.TASK.read(answer), e04a.verdict().damage
    right = [said[kind] == set(getattr(damage, name)) for kind, name in e04a.KINDS.items()]
    return sum([*right, said["counter"] == damage.counter]) == 3


def right_without_faults(answer):
    """Output and counter are those of the chapter's handler, if nothing goes wrong."""
    outputs, counter = rules.wanted()
    outcome = calm(answer, rules.JOB).outcome
    return (outcome.outputs, outcome.counter) == (tuple(map(encode, outputs)), counter)


def strikes(answer):
    """The plan has one fault, and it is reached."""
    return e04e.verdict(e04e.read(answer)).reached


def first_job_without_faults(answer):
    """Output and counter are right for the first job, if nothing goes wrong."""
    return first_world(TASKS["04f"], answer)


def burst_without_faults(answer):
    """A burst is written and acknowledged, if it arrives in order, once."""
    arrivals = [e05b.arrives(number) for number in range(e05b.RECORDS)]
    found = carried_out(e05b.Burst(answer), arrivals)
    return not found.sentence and found.shown == tuple(map(repr, e05b.VALUES))


def three_of_the_refused(answer):
    """Three of the four entries are right."""
    said = e05c.read(answer)
    doubled, late, calm = (e05c.run(said[name]) for name in e05c.MISHAPS_ASKED)
    ends_well = not calm.doubled and not calm.expired
    return doubled.doubled + (said["log"] == e05c.logged(doubled)) + late.expired + ends_well >= 3


def broker_without_faults(answer):
    """Three batches are written and acknowledged, if nothing goes wrong."""
    return e05e.TASK._calm(answer)[0].sentence == ""


def three_sinks(answer):
    """Place and promise are right for three of the four sinks."""
    said = e07a.read(answer)
    possible = [(sink, *pair) for sink, pair in said.items() if (sink, pair[0]) not in e07a.IMPOSSIBLE]
    return sum(promise in promised(sink, place) for sink, place, promise in possible) == 3


def orders_without_faults(answer):
    """Each order is written once, if nothing goes wrong."""
    return proved(e07b.program(answer["sink"]), e07b.each_order_once, None, crashes=0).ok


def tables_without_faults(answer):
    """Orders are answered and the stock fits, if nothing goes wrong."""
    return proved(e07e.program(answer), e07e.answered_once, None, crashes=0).ok


def decisions(answer):
    """A decision is carried out, and what is complete is left alone."""
    logs = [list(e06d.LOGS[3][:end]) for end in (3, 4)]
    told = answers(answer, [[log, e06d.NOW] for log in logs])
    return all(e06d._objection(log, *one)[0] is None for log, one in zip(logs, told, strict=True))


def consumed_without_faults(answer):
    """Two records are consumed, and their results seen, if nothing goes wrong."""
    return called(calm_program, answer, e06f.RECORDS).sentence == ""


def one_transfer(answer):
    """The locks of one transfer are all there, each once."""
    return e08a.objection(e08a.cases()[0], called(e08a.orders, answer, e08a.cases()[:1])[0]) is None


def one_customer(answer):
    """A customer who is alone, and for whom there is enough, is served."""
    cases = [case for case in e08b.CASES if len(case[1]) == 1 and sum(case[1]) <= sum(case[0])]
    return all(proved(e08b.programs(answer, case), e08b.AllOrNothing(case), None, crashes=0).ok for case in cases)


def nobody_moves(answer):
    """The total is right while nobody moves anything."""
    case = e08d.CASES[0]
    return proved(e08d.programs(answer, case), e08d.NeverFooled(case.total), None, crashes=0).ok


def moved_without_faults(answer):
    """Money is moved by one mover, if nothing goes wrong, as far as the accounts tell in the end."""
    run = called(e08e.calm, answer)
    return dict(push.value for push in run.pushes) == e08e.WORLDS[0].certain


def proved_alone(program, rule):
    """Tell whether a program keeps a rule when nobody else is there, and nothing goes wrong."""
    return proved([program], rule, None, crashes=0).ok


def moved_alone(answer):
    """The hint is where one node has moved it, alone."""
    return proved_alone(Program(e09a.mover(answer, (2, 4)), on_registers.holding([])), e09a.at_least)


def pushed_alone(answer):
    """Two values of one pusher are in the queue."""
    return proved_alone(Program(e09b.pusher(answer, ("tea", "milk")), e09b.old(0)), pushed_in_the_end)


def pushed_in_the_end(view):
    """The rule of 09b, asked when all pushers are done."""
    return not view.done or e09b.each_once(view)


def read_what_stands(answer):
    """Three records are read, from which nobody takes any away."""
    rule = e09d.ReadsWhatStands(3, 0)
    return proved_alone(Program(e09d.reader(answer, 0), e09d.queue(3)), rule)


def one_process(answer):
    """The calls of one process have the right answers, for any contents of the registers."""
    return called(answered_alone, answer) is True


def answered_alone(answer):
    """Tell whether the first world's calls have a set's answers, for any contents of the registers."""
    calls = e09e.WORLDS[0][1][0].split(", ")
    return e09e.linearizable(list(e09e.made_alone(answer, e09e.Alone(), calls, 0)), frozenset())


def first_world(task, answer):
    """The answer is right in the first world of a task that is proved."""
    return task.worlds[0].prove(answer)[1].ok


def consumed_alone(answer):
    """One node consumes one message, with nobody beside it."""
    return e10a.WORLDS[0].prove(answer)[1].ok


def pushed_once_alone(answer):
    """The messages of one sender are in the queue, if nothing goes wrong."""
    return first_world(e10b.TASK, answer)


def one_message(answer):
    """One order with one message is sent, if nothing goes wrong."""
    return first_world(e10c.TASK, answer)


def driven_alone(answer):
    """One node alone gets two numbers doubled, if nothing goes wrong."""
    return first_world(e10e.TASK, answer)


def a_right_end(answer):
    """The mutant leaves one input handled, if nothing goes wrong, and is exactly once."""
    return "exactly-once" not in called(e11b.broken_by, answer["follow"], seconds=e11b.SECONDS)


def committed_alone(answer):
    """One node commits, if nothing goes wrong."""
    return first_world(e11c.TASK, answer)


def first_batch(model):
    """Return a function that tells whether the first batch is saved, if nothing goes wrong."""
    return lambda answer: not explore(model(answer, 1)).sentence


def calls_apart(server):
    """Return a function that tells whether two calls of different names are right, if nothing goes wrong."""
    apart = type("Apart", (server,), {"CALLS": server.CALLS[1:], "__module__": __name__})
    globals()[apart.__name__ + server.__name__] = apart
    apart.__qualname__ = apart.__name__ = apart.__name__ + server.__name__
    return lambda answer: not called(ran, answer, apart, {}).sentence


def readings_without_faults(name):
    """Return a function that tells whether output and total are right, if nothing goes wrong."""
    return lambda answer: first_world(TASKS[name], answer)


def most_budgets(answer):
    """For more than half of the budgets the choice is right."""
    said = e14b.TASK.read(answer)
    return sum(e14b.objection(name, *choice) is None for name, choice in said.items()) > len(said) / 2


BY_HAND = {
    "01a": a_line_of_stamps,
    "01b": no_crash,
    "01f": two_nodes,
    "01g": one_broadcast,
    "02d": whole_logs,
    "02g": replicas_without_faults,
    "03a": three_settings,
    "03b": finished_in_order,
    "03c": newest_without_faults,
    "03e": booked_without_faults,
    "04a": three_entries,
    "04c": right_without_faults,
    "04d": right_without_faults,
    "04e": strikes,
    "04f": first_job_without_faults,
    "05b": burst_without_faults,
    "05c": three_of_the_refused,
    "05e": broker_without_faults,
    "07a": three_sinks,
    "07b": orders_without_faults,
    "07e": tables_without_faults,
    "06d": decisions,
    "06f": consumed_without_faults,
    "08a": one_transfer,
    "08b": one_customer,
    "08d": nobody_moves,
    "08e": moved_without_faults,
    "09a": moved_alone,
    "09b": pushed_alone,
    "09d": read_what_stands,
    "09e": one_process,
    "10a": consumed_alone,
    "10b": pushed_once_alone,
    "10c": one_message,
    "10e": driven_alone,
    "11b": a_right_end,
    "11c": committed_alone,
    "12b": first_batch(e12b.Corrected),
    "12d": first_batch(e12d.InTwo),
    "12e": first_batch(MicroBatches),
    "13b": calls_apart(e13b.Database),
    "13d": readings_without_faults("13d"),
    "14b": most_budgets,
    "14c": readings_without_faults("14c"),
}
