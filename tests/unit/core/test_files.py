"""Files are whole or not there: full disks, size limits, Ctrl-C, odd names, links and permissions."""

import errno
import os
import stat
from pathlib import Path

import pytest

import handcalc as hc
from handcalc.foundation import atomic_files
from handcalc.foundation.atomic_files import whole_files, write_whole

POSIX = pytest.mark.skipif(os.name == "nt", reason="links, limits and modes of POSIX")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_text_and_bytes_arrive_as_they_are(tmp_path):
    write_whole(tmp_path / "a.txt", "σ\n")
    write_whole(str(tmp_path / "b.bin"), b"\0\r\n")
    assert (tmp_path / "a.txt").read_bytes() == "σ\n".encode()
    assert (tmp_path / "b.bin").read_bytes() == b"\0\r\n"
    assert names(tmp_path) == ["a.txt", "b.bin"]


@POSIX
def test_a_new_file_may_be_read_by_whoever_the_umask_says_and_an_old_one_keeps_its_mode(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", "")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    (tmp_path / "new").chmod(0o604)
    write_whole(tmp_path / "new", "again")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o604


@POSIX
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real/file")
    for text in ("first", "second"):  # the link points at nothing at first
        write_whole(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "real" / "file").read_text() == text
    assert names(tmp_path / "real") == ["file"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, MemoryError])
def test_a_block_that_ends_badly_leaves_what_was_there(tmp_path, error):
    (tmp_path / "old").write_text("mine")

    def ends_badly():
        with whole_files([tmp_path / "old", tmp_path / "new"]) as (old, _):
            old.write(b"half")
            raise error

    with pytest.raises(error):
        ends_badly()
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_text() == "mine"


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "the disk is full; free some space and try again"),
        (errno.EFBIG, "it is larger than this computer allows; raise the limit"),
        (errno.EACCES, "permission was denied; choose another folder"),
        (errno.EIO, "Input/output error; choose another folder"),
    ],
)
def test_a_disk_that_fails_while_writing_leaves_nothing_and_the_retry_works(
    tmp_path, monkeypatch, number, sentence
):
    def fails(_):
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fails)
        with pytest.raises(hc.HandcalcError) as told, whole_files([tmp_path / "a", tmp_path / "b"]):
            pass
    assert sentence in str(told.value)
    assert names(tmp_path) == []
    write_whole(tmp_path / "a", "done", overwrite=False)
    assert names(tmp_path) == ["a"]


@pytest.mark.slow
@POSIX
def test_beyond_a_size_limit_neither_a_page_nor_a_sheet_is_begun(tmp_path):
    import resource  # not on Windows

    exercise = hc.Exercise("DP1-423P")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, before[1]))
    try:
        with pytest.raises(hc.HandcalcError, match=r".*s\.html cannot be written: it is larger than this"):
            exercise.calculation.save_html(tmp_path / "s.html")
        with pytest.raises(hc.HandcalcError, match=r".*s\.pdf cannot be written: it is larger than this"):
            hc.save_worksheet(exercise, tmp_path / "s.pdf", key=tmp_path / "k.pdf")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (None, "None is not the name of a file."),
        (b"s.pdf", "is not the name of a file."),
        ("", ". cannot be written: it is a folder; name a file in it."),
        ("a\0b", "is not the name of a file."),
        ("\ud800.pdf", "is not the name of a file."),
        ("n" * 300, "its name is too long; choose a shorter one."),
        ("none/s.pdf", "none/s.pdf cannot be written: there is no such folder; create it first."),
        ("file/s.pdf", "a part of its path is not a folder"),
        ("folder", "folder cannot be written: it is a folder; name a file in it."),
    ],
)
def test_a_path_that_will_not_do_is_one_short_sentence(tmp_path, monkeypatch, path, sentence):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("folder").mkdir()
    with pytest.raises(hc.HandcalcError) as told:
        write_whole(path, "x")
    assert sentence in str(told.value)
    assert len(str(told.value)) <= 200
    assert names(tmp_path) == ["file", "folder"]


def test_half_a_character_is_one_sentence(tmp_path):
    with pytest.raises(hc.HandcalcError, match=r"contains '\\udc80', half of a character; remove it\.$"):
        write_whole(tmp_path / "page.html", "name \udc80")
    assert names(tmp_path) == []


def test_what_is_there_is_not_written_over_unless_asked(tmp_path):
    write_whole(tmp_path / "b", "mine")
    with pytest.raises(
        hc.HandcalcError, match="b exists already; choose another name, or replace it with overwrite=True"
    ):
        atomic_files.check_free([tmp_path / "a", tmp_path / "b"])
    with pytest.raises(hc.HandcalcError), whole_files([tmp_path / "a", tmp_path / "b"], overwrite=False):
        pytest.fail("the block has begun")
    assert names(tmp_path) == ["b"]
    write_whole(tmp_path / "b", "new")
    assert (tmp_path / "b").read_text() == "new"


@POSIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_device_is_written_to_as_it_is():
    write_whole(os.devnull, "x", overwrite=False)
    with pytest.raises(hc.HandcalcError, match="/dev/full cannot be written: the disk is full"):
        write_whole("/dev/full", "x")
    assert Path("/dev/full").is_char_device()
