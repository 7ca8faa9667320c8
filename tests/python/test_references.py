"""Flocks in double precision against published results, and float against double."""

import csv
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(os.environ["HORDE_SOURCE_DIR"])
BINARY = os.environ["HORDE_BINARY"]
PUBLISHED = Path(os.environ.get("HORDE_DATA", ROOT / "../shared/data")) / "cuplan/published-flocking.csv"


def published_rows():
    if not PUBLISHED.exists():
        return []
    with open(PUBLISHED) as file:
        rows = [row for row in csv.DictReader(file) if row["solver"] == "cuplan-cpu" and row["status"] == "solved"]
    return [(int(row["n_agents"]), int(row["seed"]), json.loads(row["extra"])) for row in rows]


def start_state(n, seed):
    """cuplan's sweep: positions uniform in a square of half side 2 sqrt(n), then velocities uniform in +-1."""
    random = np.random.default_rng(seed)
    half = 2.0 * np.sqrt(n)
    positions = random.uniform(-half, half, (n, 2))
    return positions, random.uniform(-1.0, 1.0, (n, 2))


def write_start(path, positions, velocities):
    with open(path, "w") as file:
        file.write("frame,id,x,y,vx,vy\n")
        for i, (p, v) in enumerate(zip(positions.tolist(), velocities.tolist())):
            file.write(f"0,{i},{p[0]!r},{p[1]!r},{v[0]!r},{v[1]!r}\n")


def run(folder, *options):
    """Runs the flock from folder/start.csv and returns the rows of the last frame: positions, velocities."""
    out = folder / "out.csv"
    subprocess.run([BINARY, "run", ROOT / "scenes/cuplan.toml", "--start", folder / "start.csv", "--out", out.name,
                    "--every", "1000000", "--json", *options], check=True, cwd=folder, capture_output=True)
    rows = np.loadtxt(out, delimiter=",", skiprows=1, ndmin=2)
    last = rows[rows[:, 0] == rows[-1, 0]]
    return last[:, 2:4], last[:, 4:6]


def polarization(velocities):
    speed = np.linalg.norm(velocities, axis=-1, keepdims=True)
    unit = np.divide(velocities, speed, out=np.zeros_like(velocities), where=speed > 1e-12)
    return float(np.linalg.norm(unit.mean(axis=0)))


@pytest.mark.skipif(not published_rows(), reason="HORDE_DATA holds no published results")
@pytest.mark.parametrize("n, seed, extra", published_rows())
def test_double_reproduces_cuplan(tmp_path, n, seed, extra):
    write_start(tmp_path / "start.csv", *start_state(n, seed))
    for search in ("grid", "brute"):
        _, velocities = run(tmp_path, "--precision", "double", "--steps", str(extra["steps"]), "--search", search)
        assert polarization(velocities) == pytest.approx(extra["final_polarization"], rel=1e-9, abs=0)


def test_float_agrees_with_double_over_one_step(tmp_path):
    """In one step no velocity differs by more than 1e-4 of the largest change, max_accel * dt."""
    n = 2000
    write_start(tmp_path / "start.csv", *start_state(n, 5))
    in_float = run(tmp_path, "--steps", "1")
    in_double = run(tmp_path, "--precision", "double", "--steps", "1")
    assert np.abs(in_float[1] - in_double[1]).max() < 1e-4 * 4.0 * 0.05
