"""What a live class keeps: stored when acknowledged, once, there after a restart, gone when forgotten."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress

import pytest

from handcalc.classroom.store.answer_store import Answer, AnswerStore, ReusedError, StoredMark
from handcalc.classroom.store.database import DatabaseError, file_address, lock_database
from handcalc.foundation.errors import HandcalcError

CODE = "SA1-1"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def address(request, tmp_path):
    if request.param == "sqlite":
        return file_address(tmp_path / "class.db")
    return request.getfixturevalue("postgresql").new()


@pytest.fixture
def store(address):
    """In a file and on a server: for what databases do differently."""
    with closing(AnswerStore(address, "7b")) as store:
        yield store


@pytest.fixture
def file_store(tmp_path):
    """For what the database has no part in."""
    with closing(AnswerStore(file_address(tmp_path / "class.db"), "7b")) as store:
        yield store


def answer(learner, n, text="1", step="Q", row=0, column=0):
    return Answer(learner, CODE, n, step, row, column, text, 12.5)


def joined(store, nick="Ada", sheets=(CODE,)):
    return run(store.add_learner(nick, f"hash of {nick[:3]!r}", "in", CODE, sheets, 1.5))


def marked(store, learner, marks=None):
    run(store.keep_marks([StoredMark(learner, CODE, 2, marks or {"right": 1}, [("Q", "sign-lost")])]))


def run(waiting):
    async def one():
        return await waiting

    return asyncio.run(one())


def texts(store):
    return [(one.learner, one.n, one.text) for one in store.load().answers]


def test_what_is_acknowledged_is_there_after_a_restart(address):
    with closing(AnswerStore(address, "7b")) as store:
        learner = joined(store)
        run(store.append([answer(learner, 1, "½"), answer(learner, 2, "-1", row=1)]))
        run(store.hint(learner, CODE, "Q", 1, 13.5))
        run(store.decide({"until": "S"}))
        marked(store, learner, {"right": 0})
        marked(store, learner)  # the newest alone is kept
    with closing(AnswerStore(address, "7b")) as store:
        kept = store.load()
    assert [tuple(one)[1:] for one in kept.answers] == [
        (learner, CODE, 1, "Q", 0, 0, "½", 12.5),
        (learner, CODE, 2, "Q", 1, 0, "-1", 12.5),
    ]
    assert [tuple(one) for one in kept.learners] == [(learner, "Ada", "hash of 'Ada'", "in", CODE, 1.5)]
    assert [tuple(one) for one in kept.seats] == [(CODE, learner)]
    assert [tuple(one)[1:] for one in kept.hints] == [(learner, CODE, "Q", 1, 13.5)]
    assert [tuple(one) for one in kept.marks] == [(learner, CODE, 2, '{"right": 1}')]
    assert kept.state == {"until": "S"}


def test_the_same_answer_again_is_acknowledged_and_stored_once(file_store):
    learner = joined(file_store)
    run(file_store.append([answer(learner, 1)]))
    run(file_store.append([answer(learner, 1), answer(learner, 2, "2"), answer(learner, 2, "2")]))
    assert texts(file_store) == [(learner, 1, "1"), (learner, 2, "2")]


@pytest.mark.parametrize("other", [{"text": "9"}, {"row": 1}, {"column": 1}, {"step": "K"}])
def test_a_number_that_is_used_again_for_something_else_is_refused_with_all_that_came_with_it(
    file_store, other
):
    learner = joined(file_store)
    run(file_store.append([answer(learner, 1)]))
    with pytest.raises(ReusedError, match="Answer 1 is stored as '1' in Q"):
        run(file_store.append([answer(learner, 2), answer(learner, 1, **other)]))
    assert texts(file_store) == [(learner, 1, "1")]


def test_many_at_once_are_all_stored_and_one_that_is_refused_stops_no_other(store):
    learner = joined(store)
    run(store.append([answer(learner, 7)]))

    async def flood():
        posts = [store.append([answer(learner, n, "2" if n == 7 else "1")]) for n in range(1, 101)]
        return await asyncio.gather(*posts, return_exceptions=True)

    refused = [n for n, result in enumerate(asyncio.run(flood()), start=1) if result is not None]
    assert refused == [7]
    assert sorted(n for _, n, _ in texts(store)) == [*range(1, 101)]


def test_texts_that_no_database_can_hold_are_stored_without_what_cannot_be(store):
    learner = joined(store, "a\0b\ud800")
    run(store.append([answer(learner, 1, "'; drop table answer; --\0")]))
    run(store.append([answer(learner, 1, "'; drop table answer; --\0")]))  # the same
    assert texts(store) == [(learner, 1, "'; drop table answer; --\ufffd")]


def test_who_is_forgotten_is_in_no_file_any_more(tmp_path):
    words = (b"Zebulon", b"3.14159", b"2.71828")

    def there():
        files = b"".join(path.read_bytes() for path in tmp_path.glob("class.db*"))
        return [word in files for word in words]

    with closing(AnswerStore(file_address(tmp_path / "class.db"), "7b")) as store:
        learner, other = joined(store, "Zebulon"), joined(store, "Ada", [])
        run(
            store.append(
                [answer(learner, n, "3.14159") for n in range(1, 90)] + [answer(other, 1, "2.71828")]
            )
        )
        marked(store, learner, {"nick": "Zebulon"})
    with closing(
        AnswerStore(file_address(tmp_path / "class.db"), "7b")
    ) as store:  # all is in the file itself now
        run(store.append([answer(learner, 99, "3.14159")]))  # and this beside it
        assert there() == [True, True, True]
        run(store.forget(learner))
        run(store.clear_away())
        assert there() == [False, False, True]
        assert texts(store) == [(other, 1, "2.71828")]


def test_who_is_forgotten_is_in_no_table_any_more(store):
    learner, other = joined(store), joined(store, "Ben", ["SM1-2"])
    for one in (learner, other):
        run(store.append([answer(one, 1)]))
        run(store.hint(one, CODE, "Q", 1, 1.0))
        marked(store, one)
    run(store.forget(learner))
    kept = store.load()
    whose = {one.learner for rows in (kept.seats, kept.answers, kept.hints, kept.marks) for one in rows}
    assert whose == {other}
    assert [one.nick for one in kept.learners] == ["Ben"]


def test_a_database_of_another_class_or_version_gets_a_sentence(tmp_path):
    address = file_address(tmp_path / "class.db")
    AnswerStore(address, "7b").close()
    with pytest.raises(DatabaseError, match="has the answers of '7b', not of '7c'; name another database"):
        AnswerStore(address, "7c")
    with closing(sqlite3.connect(tmp_path / "class.db")) as connection, connection:
        connection.execute("update class set version = 9")
    with pytest.raises(DatabaseError, match="has tables of version 9, but this handcalc reads version 1"):
        AnswerStore(address, "7b")


def test_a_full_disk_acknowledges_nothing_and_stores_again_when_there_is_room(tmp_path):
    with closing(AnswerStore(file_address(tmp_path / "class.db"), "7b")) as store:
        learner = joined(store)

        def limit(pages):
            return run(store._do(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count = {pages}") and None))

        limit(1)  # SQLite takes the pages that there are
        stored = 0
        with suppress(DatabaseError):
            for n in range(1, 500):
                run(store.append([answer(learner, n, "1" * 80)]))
                stored = n
        with pytest.raises(DatabaseError, match="cannot be used: the disk is full; free some space"):
            run(store.append([answer(learner, stored + 1)]))
        assert len(texts(store)) == stored
        limit(100_000)
        run(store.append([answer(learner, stored + 1)]))
        assert len(texts(store)) == stored + 1


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (lambda path: path.write_text("name,code\n" * 100), "it is not a database"),
        (lambda path: path.mkdir(), "its folder is missing or read-only"),
    ],
)
def test_what_is_no_database_gets_a_sentence(tmp_path, made, sentence):
    made(tmp_path / "class.db")
    with pytest.raises(DatabaseError, match=sentence):
        AnswerStore(file_address(tmp_path / "class.db"), "7b")


@pytest.mark.parametrize(
    "address",
    ["7b", "", "mysql://bob:secret@host/name", "sqlite://elsewhere/x/y", "sqlite://", "sqlite:///:memory:",
     "postgresql://[::bad", "postgresql://bob:secret@host:port/name"],
)  # fmt: skip
def test_an_address_of_no_database_gets_a_sentence_without_its_password(address):
    with pytest.raises(DatabaseError, match="is not a database that a class can use") as found:
        AnswerStore(address, "7b")
    assert "secret" not in str(found.value)


def test_a_server_that_is_not_there_gets_a_sentence_without_its_password():
    with pytest.raises(
        DatabaseError, match=r"^The database school at 127.0.0.1 cannot be used: .*\.$"
    ) as found:
        AnswerStore("postgresql://bob:secret@127.0.0.1:9/school", "7b")
    assert "secret" not in str(found.value)


def test_a_database_serves_one_class_at_a_time_whatever_its_folder_is(tmp_path):
    address = file_address(tmp_path / "class.db")
    for _ in range(2):
        with lock_database(address):
            with pytest.raises(HandcalcError, match="is already being served, by another `handcalc class"):
                lock_database(address).__enter__()
            AnswerStore(address, "7b").close()  # marks are read meanwhile


def restart(server):
    server.stop()  # as a crash does: every connection is lost, and every lock
    server.start()


@pytest.mark.slow
def test_no_other_server_comes_between_the_loss_of_a_connection_and_the_next(postgresql, monkeypatch):
    monkeypatch.setattr("handcalc.classroom.store.database.DATABASE_PATIENCE", 0.5)
    address = postgresql.new()

    def served():
        return closing(AnswerStore(address, "7b", is_serving=True))

    def another_is_refused():
        with pytest.raises(DatabaseError, match="is already being served, by another `handcalc class"):
            served()
        AnswerStore(address, "7b").close()  # marks are read meanwhile

    with served() as store:
        another_is_refused()
        learner = joined(store)
        restart(postgresql)
        run(store.append([answer(learner, 1)]))  # it has the lock again before it writes
        another_is_refused()
        with closing(store.database.engine.connect()) as lost:
            lost.detach()  # its end does not arrive at the server
            run(store.append([answer(learner, 2)]))
        another_is_refused()
        restart(postgresql)
        with served() as other:
            for n in (3, 4):
                with pytest.raises(DatabaseError, match=r"is now served by another .* start the other one"):
                    run(store.append([answer(learner, n)]))
            run(other.append([answer(learner, 3, "9")]))
        with pytest.raises(DatabaseError, match="is now served by another"):  # it knows nothing of the 9
            run(store.append([answer(learner, 4)]))
    with served() as store:
        assert texts(store) == [(learner, 1, "1"), (learner, 2, "1"), (learner, 3, "9")]


@pytest.mark.skipif(os.name == "nt", reason="files there are the user's own")
def test_a_file_is_for_nobody_else_to_read(tmp_path):
    with closing(AnswerStore(file_address(tmp_path / "class.db"), "7b")) as store:
        joined(store)
        assert {oct(path.stat().st_mode)[-3:] for path in tmp_path.glob("class.db*")} == {"600"}


def test_nothing_waits_for_a_store_that_is_closed(tmp_path):
    store = AnswerStore(file_address(tmp_path / "class.db"), "7b")
    learner = joined(store)
    store.close()
    store.close()
    with pytest.raises(DatabaseError, match="The class is over"):
        run(store.append([answer(learner, 1)]))


SERVER = """import sys
from handcalc.classroom.store.database import lock_database
with lock_database(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()"""


@pytest.mark.slow
def test_a_database_is_one_however_two_servers_name_it_and_a_killed_one_holds_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("8b", "elsewhere"):
        (tmp_path / name).mkdir()
    file = tmp_path / "8b" / "class.db"
    AnswerStore(file_address(file), "7b").close()
    (tmp_path / "elsewhere" / "link.db").symlink_to(file)
    (tmp_path / "folder").symlink_to(tmp_path / "8b")
    names = [
        f"sqlite:///{file}", "sqlite:///8b/class.db", "sqlite:///elsewhere/../8b/class.db",
        f"sqlite:///{tmp_path}/elsewhere/link.db", "sqlite:///folder/class.db",
        f"sqlite:///file:{file}?uri=true", f"sqlite:///file:{tmp_path}/elsewhere/link.db?mode=rw&uri=true",
    ]  # fmt: skip
    for first in (names[0], names[3]):  # as by mistake in the next room, with --database
        with subprocess.Popen(
            [sys.executable, "-c", SERVER, first], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other:
            assert other.stdout.readline() == "held\n"
            for name in names:
                with pytest.raises(HandcalcError, match="is already being served"), lock_database(name):
                    pass
            other.kill()
        with lock_database(names[1]):
            pass
    os.link(file, tmp_path / "hard.db")
    for name in (names[0], "sqlite:///hard.db"):
        with pytest.raises(DatabaseError, match=r"under another name \(a hard link\)"), lock_database(name):
            pass
