"""What a shell can do to the program: options given twice, limits, closed outputs."""

import json
import os
import resource
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(os.environ["HORDE_SOURCE_DIR"])
BINARY = os.environ["HORDE_BINARY"]
PLAZA = str(ROOT / "scenes/plaza.toml")


def run(*options, cwd, **more):
    return subprocess.run([BINARY, *options], cwd=cwd, capture_output=True, text=True, **more)


def refused(done, part):
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and part in done.stderr, done.stderr


def test_an_option_given_again_takes_the_place_of_the_first(tmp_path):
    done = run("run", PLAZA, "--steps", "600", "--every", "10", "--steps", "3", "--every", "2", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["steps"] == 3


def test_outputs_add_up(tmp_path):
    done = run("run", PLAZA, "--steps", "3", "--out", "a.csv", "--out", "b.txt", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["files"] == ["a.csv", "b.txt"]


def test_a_limit_on_file_sizes_is_a_refusal_that_leaves_nothing(tmp_path):
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    done = run("run", PLAZA, "--steps", "200", "--out", "big.csv", cwd=tmp_path, preexec_fn=limit)
    refused(done, "big.csv")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_name_is_refused(tmp_path):
    refused(run("run", PLAZA, "--out", "", cwd=tmp_path), "--out")


def test_an_answer_that_cannot_be_given_is_no_success(tmp_path):
    with open("/dev/full", "w") as full:
        done = subprocess.run([BINARY, "run", PLAZA, "--steps", "1", "--json"], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1


def test_agents_and_start_exclude_each_other(tmp_path):
    run("run", PLAZA, "--steps", "0", "--out", "a.csv", cwd=tmp_path)
    refused(run("run", PLAZA, "--start", "a.csv", "--agents", "3", cwd=tmp_path), "--start")


def test_pedpy_text_has_no_frame_between_two_others(tmp_path):
    run("run", PLAZA, "--steps", "20", "--every", "7", "--out", "a.txt", "--out", "a.csv", cwd=tmp_path)
    frames = np.unique(np.loadtxt(tmp_path / "a.txt")[:, 1])
    assert frames.tolist() == [0, 1, 2], "0, 7 and 14"
    steps = np.unique(np.loadtxt(tmp_path / "a.csv", delimiter=",", skiprows=1)[:, 0])
    assert steps.tolist() == [0, 7, 14, 20]


@pytest.mark.parametrize("repeat", ["3", "0"])
def test_field_bench_names_its_least_repeats(tmp_path, repeat):
    refused(run("bench", "field", "--repeat", repeat, cwd=tmp_path), "--repeat")
