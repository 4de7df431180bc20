"""The abstract transactional store: fencing, commits that take effect once, and what readers may see of it."""

from exactly_once.log import abstract

DONE, FENCED, Store = abstract.DONE, abstract.FENCED, abstract.Store
commit, could_show, init, may_load = abstract.commit, abstract.could_show, abstract.init, abstract.may_load


def test_a_commit_is_whole_and_in_order():
    store, answer = init(Store(), "first")
    assert (answer, may_load(store, "first")) == (DONE, (None,))
    store, _ = commit(store, "first", "a")
    store, answer = commit(store, "first", "b")
    assert (answer, store.committed, may_load(store, "first")) == (DONE, ("a", "b"), ("b",))


def test_the_same_commit_twice_takes_effect_once():
    store, _ = init(Store(), "first")
    store, _ = commit(store, "first", "a")
    assert commit(store, "first", "a") == (store, DONE)


def test_whoever_is_let_in_fences_those_before():
    store, _ = init(Store(), "first")
    store, _ = init(store, "second")
    assert commit(store, "first", "a") == (store, FENCED)
    assert commit(store, "second", "b")[1] == DONE


def test_what_a_fenced_one_loads_may_be_old():
    store = Store(("a", "b"), "second")
    assert may_load(store, "second") == ("b",)
    assert may_load(store, "first") == may_load(store, None) == (None, "a", "b")


def test_readers_may_lag_and_never_skip():
    store = Store(("a", "b"), "first")
    assert all(could_show(store, seen) for seen in ((), ("a",), ("a", "b")))
    assert not any(could_show(store, seen) for seen in (("b",), ("b", "a"), ("a", "b", "c")))
