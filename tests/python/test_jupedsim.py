"""JuPedSim's SQLite files: the tables as their readers ask for them, and those readers themselves.

PedPy, JuPedSim and Shapely are asked where a Python has them: HORDE_PEDPY_PYTHON, or build/venv/bin/python of the
repository (python3 -m venv build/venv; build/venv/bin/pip install jupedsim pedpy).
"""
import json
import os
import pathlib
import sqlite3
import subprocess

import h5py
import numpy as np
import pytest

ROOT = pathlib.Path(os.environ.get("HORDE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BINARY = os.path.abspath(os.environ.get("HORDE_BINARY", str(ROOT / "build" / "bin" / "horde")))
READERS = os.environ.get("HORDE_PEDPY_PYTHON", str(ROOT / "build" / "venv" / "bin" / "python"))

pytestmark = pytest.mark.skipif(not os.path.exists(BINARY), reason=f"{BINARY} is absent")

# A gate that opens, cells that touch at corners alone, pillars, and a pocket that nobody can reach.
ROWS = ["..........@.",
        "..@...@..@@@",
        "...@.@......",
        "....@.......",
        "@@@@@@@@@.@@",
        "............",
        "...@@......."]
SCENE = f"""
[world]
dt = 0.05
[map]
rows = {json.dumps(ROWS)}
[field]
goal_cells = [[[0, 6]]]
[[agents]]
count = 12
goal = "0"
spawn = "box"
box = [0.5, 0.5, 3.0, 2.0]
[[edit]]
frame = 1
kind = "wall"
cells = [9, 4, 9, 4]
until = 20
"""

READ = """
import json, pathlib, sys
import pedpy, shapely
from jupedsim.recording import Recording
path = pathlib.Path(sys.argv[1])
data = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=path)
area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=path)
recording = Recording(str(path))
texts = [row[0] for row in recording.db.execute("SELECT wkt FROM geometry ORDER BY rowid")]
shapes = [shapely.from_wkt(text) for text in texts]
frame = recording.frame(1)
bounds = recording.bounds()
print(json.dumps({
    "fps": data.frame_rate, "rows": len(data.data), "x": list(data.data.x), "area": area.polygon.area,
    "valid": [shape.is_valid for shape in shapes], "areas": [shape.area for shape in shapes],
    "recording": recording.fps, "frames": recording.num_frames, "ids": [agent.id for agent in frame.agents],
    "positions": [agent.position for agent in frame.agents],
    "ids_of_geometry": [recording.geometry_id_for_frame(n) for n in range(recording.num_frames)],
    "outside": sum(not area.polygon.buffer(1e-9).contains(p) for p in data.data.point),
    "bounds": [bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax],
}))
"""


def horde(*arguments):
    command = [BINARY, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jupedsim")
    (folder / "scene.toml").write_text(SCENE, encoding="ascii")
    paths = {ending: folder / f"a.{ending}" for ending in ("sqlite", "h5")}
    done = horde("run", folder / "scene.toml", "--steps", 101, "--every", 2, "--out", paths["sqlite"], "--out",
                 paths["h5"], "--json")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["a.h5", "a.sqlite", "scene.toml"]
    return paths


@pytest.fixture(scope="module")
def read(run):
    if not os.path.exists(READERS):
        pytest.skip(f"{READERS} is absent")
    found = subprocess.run([READERS, "-c", "import jupedsim, pedpy"], capture_output=True, check=False)
    if found.returncode != 0:
        pytest.skip(f"{READERS} has no PedPy and JuPedSim")
    done = subprocess.run([READERS, "-c", READ, str(run["sqlite"])], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def columns_of_h5(path):
    """Number of the written frame, id, x and y of every row, the last frame between two others left out."""
    with h5py.File(path) as file:
        start = file["/frame/start"][:]
        frames = np.repeat(np.arange(len(start) - 1), np.diff(start))
        even = frames < np.count_nonzero(file["/frame/step"][:] % 2 == 0)
        position = file["/agents/position"][:][even]
        return frames[even], file["/agents/id"][:][even], position[:, 0], position[:, 1]


def test_rows_are_those_of_the_h5_to_the_last_bit(run):
    with sqlite3.connect(run["sqlite"]) as base:
        rows = base.execute("SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data").fetchall()
    columns = [np.array(column) for column in zip(*rows)]
    for ours, other in zip(columns, columns_of_h5(run["h5"])):
        assert np.array_equal(ours, other)
    assert np.allclose(np.hypot(columns[4], columns[5]), 1.0, rtol=0, atol=1e-15)


def test_facts_are_where_jupedsim_looks_for_them(run):
    with sqlite3.connect(run["sqlite"]) as base:
        facts = dict(base.execute("SELECT key, value FROM metadata"))
        geometries = dict(base.execute("SELECT hash, wkt FROM geometry"))
        frames = base.execute("SELECT frame, geometry_hash FROM frame_data ORDER BY frame").fetchall()
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert (facts["version"], float(facts["fps"])) == ("2", 10.0)
    assert [frame for frame, _ in frames] == list(range(51))
    used = [geometries[key] for _, key in frames]
    assert len(geometries) == 2 and used[0] == used[50] != used[1], "the gate is shut for a while"


def test_pedpy_and_jupedsim_open_it(run, read):
    frame, agent, x, y = columns_of_h5(run["h5"])
    assert read["fps"] == read["recording"] == 10.0
    assert read["rows"] == len(x) and read["x"] == list(x)
    assert read["frames"] == 51 and len(set(read["ids_of_geometry"])) == 2
    assert read["ids"] == list(agent[frame == 1])
    assert read["positions"] == [[a, b] for a, b in zip(x[frame == 1], y[frame == 1])]


def test_shapely_finds_the_area_valid_and_as_large_as_its_cells(read):
    assert all(read["valid"])
    upper = sum(row.count(".") for row in ROWS[:4]) - 1  # but the pocket in the corner
    lower = sum(row.count(".") for row in ROWS[4:])
    assert sorted(read["areas"]) == [upper, upper + lower]
    assert read["area"] == upper + lower
    assert read["outside"] == 0
    assert read["bounds"] == [0.0, 0.0, 12.0, 7.0]


def test_it_is_measured_and_started_from(run, tmp_path):
    done = horde("measure", run["sqlite"], "--metrics", "agents,mean_speed", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["fps"] == 10.0
    again = tmp_path / "b.sqlite"
    scene = run["sqlite"].with_name("scene.toml")
    started = horde("run", scene, "--start", run["sqlite"], "--steps", 0, "--json", "--out", again)
    assert started.returncode == 0, started.stderr
    query = "SELECT id, pos_x, pos_y FROM trajectory_data WHERE frame = 0"
    with sqlite3.connect(run["sqlite"]) as first, sqlite3.connect(again) as second:
        assert first.execute(query).fetchall() == second.execute(query).fetchall() != []
