"""What is saved in each run of the tests changes nothing of what they find."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_a_failure_before_and_after_a_test_is_told_through_a_worker(tmp_path):
    (tmp_path / "test_two.py").write_text(
        textwrap.dedent("""
            import pytest

            @pytest.fixture
            def before(): 1 / 0

            @pytest.fixture
            def after():
                yield
                1 / 0

            def test_one(before): pass
            def test_other(after): pass
            def test_third(): print("said")
        """),
        "utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "1",
        "-p",
        "no:cacheprovider",
        "-c",
        ROOT / "pyproject.toml",
    ]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [*command, "--rootdir", tmp_path, tmp_path], env=environment, capture_output=True, text=True
    )
    assert "2 passed, 2 errors" in run.stdout
