"""The file that keeps what was typed: nothing in it stops practice, nothing that is typed is lost."""

import errno
import json
import os
from pathlib import Path

import hostile
import pytest

import handcalc as hc
from handcalc.practice.exercise.attempt_log import AttemptLog

CODE = hc.code("softmax", 1)


def practice_in(folder):
    return hc.practise("softmax", seed=1, folder=folder)


def typed(text, row=0):
    return {"typed": ["E", row, 0, text]}


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"code": ' * 50_000,
        f'{{"code": "{CODE}", "row": {"9" * 5000}}}',
        f'{{"code": "{CODE}", "step": "E", "row": 1e999, "column": 0, "text": "7"}}',
        f'{{"code": "{CODE}", "step": "E", "row": true, "column": 0, "text": "7"}}',
        f'{{"code": "{CODE}", "step": "E", "row": 0, "column": {10**300}, "text": "7"}}',
        f'{{"code": "{CODE}", "step": ["E"], "row": 0, "column": 0, "text": "7"}}',
        f'{{"code": "{CODE}", "step": "E", "row": 0, "column": 5, "text": {{}}}}',
        '{"code": "SM1-4233", "step": "E", "row": "x", "column": 0, "text": "1"}',
        f'{{"code": "{CODE}", "step": "E", "row": "x", "column": 0, "text": "1"}}',
        f'{{"code": "{CODE}", "step": "E", "row": 99, "column": 0, "text": "1"}}',
        f'{{"code": "{CODE}", "step": "P", "row": 0, "column": 0, "text": "1"}}',
        f'{{"code": "{CODE}", "step": null, "row": null}}',
        '{"code": 7, "finished": true}',
        '{"code": ["a"], "finished": true}',
        "[1, 2]",
        "null",
        "\x00\xff",
        '{"code": "SM1-',
    ],
    ids=lambda line: line[:40],
)
@pytest.mark.parametrize("end", ["\n", ""], ids=["", "half written"])
def test_no_line_stops_practice(tmp_path, line, end):
    practice = practice_in(tmp_path)
    practice.on_message(typed("1"))
    with practice.path.open("a", encoding="utf-8") as file:
        file.write(line + end)
    again = hc.practise("softmax", folder=tmp_path)
    assert (again.code, again.widget.done) == (practice.code, 0)
    again.on_message(typed("2", row=1))
    assert again.widget.texts == {"E": {"0,0": "1", "1,0": "2"}}
    assert practice_in(tmp_path).widget.texts == again.widget.texts


@pytest.mark.parametrize(
    "text", ["2\u2028", "2\u0085", "2\u2029x", "a\x0bb\x0cc\x1c", "a\r\nb", "\x00", "😀"]
)
def test_whatever_is_typed_is_there_again(tmp_path, text):
    practice_in(tmp_path).on_message(typed(text))
    assert practice_in(tmp_path).texts == {"E": {"0,0": text}}


def test_half_a_character_is_replaced_and_what_is_too_long_is_cut_and_told(tmp_path):
    practice = practice_in(tmp_path)
    practice.on_message(typed("1\ud800"))
    practice.on_message(typed("1" * 10_000, row=1))
    assert practice.texts["E"] == {"0,0": "1\ufffd", "1,0": "1" * 81}
    assert practice.widget.states["E"][:2] == [["unread"], ["unread"]]
    assert practice.widget.messages["E"][0].endswith("is too long; a number has at most 80 characters.")
    assert practice.path.stat().st_size < 500
    with practice.path.open("a") as file:  # as another program may write it
        file.write(json.dumps({"code": CODE, "step": "E", "row": 2, "column": 0, "text": "\udfff2"}) + "\n")
    assert practice_in(tmp_path).texts["E"]["2,0"] == "\ufffd2"


def test_what_is_written_is_read_once_and_others_lines_all_the_same(tmp_path, monkeypatch):
    log, other = AttemptLog(tmp_path / "log.jsonl"), AttemptLog(tmp_path / "log.jsonl")
    read = []
    monkeypatch.setattr(json, "loads", lambda text, loads=json.loads: read.append(text) or loads(text))
    for turn in range(20):
        log.add(code=CODE, step="E", row=0, column=0, text=str(turn))
        other.add(code=CODE, step="E", row=1, column=0, text=str(turn))
    log.refresh()
    assert log.texts(CODE) == other.texts(CODE) == {"E": {"0,0": "19", "1,0": "19"}}
    assert len(read) == 2 * 40


def test_a_line_without_an_end_is_read_and_a_half_written_one_waits_for_its_other_half(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"code": "A"}')
    log = AttemptLog(path)
    with path.open("a") as file:
        file.write('\n{"code": ')
    log.refresh()
    assert list(log.opened) == ["A"]
    with path.open("a") as file:
        file.write('"B"}\n')
    log.refresh()
    assert list(log.opened) == ["A", "B"]


def test_a_file_that_was_replaced_or_taken_away_is_read_anew(tmp_path):
    log = AttemptLog(tmp_path / "log.jsonl")
    log.add(code="A")
    (tmp_path / "other").write_text('{"code": "B"}\n{"code": "C"}\n')
    (tmp_path / "other").replace(log.path)
    log.refresh()
    assert list(log.opened) == ["B", "C"]
    log.path.unlink()
    log.refresh()
    assert list(log.opened) == []
    log.add(code="D")
    assert log.path.read_text() == '{"code": "D"}\n'


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EDQUOT])
def test_where_nothing_can_be_written_all_is_marked_and_the_page_says_so(tmp_path, monkeypatch, number):
    practice = practice_in(tmp_path)
    open_ = Path.open

    def refuse(path, mode="r", **options):
        if "a" in mode:
            raise OSError(number, "no")
        return open_(path, mode, **options)

    monkeypatch.setattr(Path, "open", refuse)
    right = hc.problem("softmax", 1)["E"].values[:, 0]
    practice.on_message(typed(str(right[0])))
    practice.on_message(typed("seven", row=1))
    assert practice.widget.states["E"] == [["correct"], ["unread"], ["not attempted"]]
    assert practice.widget.texts["E"]["1,0"] == "seven"
    assert practice.notice.endswith("Your numbers are still marked, but nothing is saved.")
    assert practice.widget.notice == practice.notice
    assert not practice.path.exists()
    practice.on_message({"ask": "next"})
    practice.on_message({"ask": "back"})
    assert practice.widget.texts["E"]["1,0"] == "seven"
    monkeypatch.undo()
    practice.on_message(typed("3", row=2))  # there is room again: all of it is written
    assert practice.widget.notice == ""
    assert practice_in(tmp_path).texts["E"] == {"0,0": str(right[0]), "1,0": "seven", "2,0": "3"}


def test_a_disk_that_is_full_leaves_the_lines_before_whole(tmp_path):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    practice = practice_in(tmp_path)
    practice.path.symlink_to("/dev/full")
    practice.on_message(typed("1"))
    assert "the disk is full" in practice.widget.notice
    assert practice.widget.texts == {"E": {"0,0": "1"}}


def test_a_failure_of_ours_is_told_on_the_page_and_loses_nothing(tmp_path, monkeypatch):
    practice = practice_in(tmp_path)
    monkeypatch.setattr(practice.exercise, "mark", lambda *_, **__: 1 / 0)
    practice.on_message(typed("1"))
    assert (
        practice.widget.notice
        == "Something went wrong here, and this was not marked; what you typed is kept."
    )
    assert practice_in(tmp_path).texts == {"E": {"0,0": "1"}}


@pytest.mark.parametrize(
    "folder", [*hostile.NUMBERS, *hostile.OBJECTS, *hostile.BROKEN, "long text", "a NUL"]
)
def test_a_folder_that_cannot_be_gets_one_sentence(folder):
    attempt = hostile.HOSTILE[folder]
    assert hostile.complaint(lambda: hc.practise("softmax", seed=1, folder=attempt())) is None


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(
        hc.HandcalcError, match=r"cannot be written: a part of its path is not a folder; .*\.$"
    ):
        practice_in(tmp_path / "file")
    with pytest.raises(hc.HandcalcError, match=r"cannot be written: its name is too long; .*\.$"):
        practice_in(tmp_path / ("x" * 300))


@pytest.mark.parametrize("by", ["emptying", "replacing", "deleting"])
def test_a_file_that_was_emptied_or_replaced_is_read_anew_even_at_the_same_length(tmp_path, by):
    """A new file may have the old one's number (inode), and lines of one number are equally long."""
    practice = practice_in(tmp_path)
    practice.note_opened()
    start = practice.path.read_bytes()
    practice.on_message(typed("1"))
    if by == "replacing":
        (tmp_path / "new").write_bytes(start)
        (tmp_path / "new").replace(practice.path)
    elif by == "deleting":
        practice.path.unlink()
        practice.path.write_bytes(start)
    else:
        practice.path.write_bytes(start)
    practice.on_message(typed("2", row=1))
    assert practice.widget.texts == practice_in(tmp_path).texts == {"E": {"1,0": "2"}}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "handcalc-log.jsonl")
    practice = practice_in(tmp_path)
    practice.on_message(typed("1"))
    assert practice.widget.texts == {"E": {"0,0": "1"}}
    assert practice.notice.endswith("nothing is saved.")
