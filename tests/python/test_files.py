"""What a stranger reads in horde's files: every format says the same, and nobody stands in a wall.

HORDE_BINARY is the program; HORDE_SOURCE_DIR the repository (default: two folders above this one).
"""
import json
import os
import pathlib
import re
import struct
import subprocess
import zlib

import h5py
import numpy as np
import pytest

ROOT = pathlib.Path(os.environ.get("HORDE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BINARY = os.path.abspath(os.environ.get("HORDE_BINARY", str(ROOT / "build" / "bin" / "horde")))
PLAZA = str(ROOT / "scenes" / "plaza.toml")
STEPS = 40

pytestmark = pytest.mark.skipif(not os.path.exists(BINARY), reason=f"{BINARY} is absent")


def horde(*arguments, cwd=None):
    command = [BINARY, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=cwd)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """One run of the plaza, every frame in every format."""
    base = tmp_path_factory.mktemp("files")
    names = {ending: f"deep/out/plaza.{ending}" for ending in ("h5", "csv", "txt", "png")}
    done = horde("run", PLAZA, "--steps", STEPS, "--every", 1, "--out", names["h5"], "--out", names["csv"],
                 "--out", names["txt"], "--picture", names["png"], "--json", cwd=base)
    assert done.returncode == 0, done.stderr
    paths = {ending: base / name for ending, name in names.items()}
    return {"paths": paths, "report": json.loads(done.stdout), "folder": base / "deep" / "out"}


def rows_of_csv(path):
    with open(path, encoding="ascii") as file:
        assert file.readline() == "frame,id,x,y,vx,vy\n"
        return [line.rstrip("\n").split(",") for line in file]


def frames_of_h5(file):
    """Pairs of a simulated frame's number and the slice of its rows."""
    start = file["/frame/start"][:]
    steps = file["/frame/step"][:]
    return [(int(step), slice(int(start[k]), int(start[k + 1]))) for k, step in enumerate(steps)]


def read_png(path):
    """Pixels of an RGB PNG of 8 bits, by nothing but zlib."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, head = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        head = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else head
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, colour = head[:4]
    assert (depth, colour) == (8, 2)
    raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 3 * width)
    out = np.zeros((height, 3 * width), np.int64)
    for y in range(height):
        line, above = raw[y, 1:].astype(np.int64), out[y - 1] if y else np.zeros(3 * width, np.int64)
        kind = raw[y, 0]
        if kind in (0, 2):
            out[y] = (line + (above if kind == 2 else 0)) % 256
            continue
        for i in range(3 * width):
            left = out[y, i - 3] if i >= 3 else 0
            corner = above[i - 3] if i >= 3 else 0
            if kind == 1:
                guess = left
            elif kind == 3:
                guess = (left + above[i]) // 2
            else:
                p = left + above[i] - corner
                guess = min((left, above[i], corner), key=lambda value: abs(p - value))
            out[y, i] = (line[i] + guess) % 256
    return out.reshape(height, width, 3)


def test_nothing_but_the_files_is_left(run):
    assert sorted(p.name for p in run["folder"].iterdir()) == sorted(p.name for p in run["paths"].values())


def test_h5_says_what_it_is(run):
    with h5py.File(run["paths"]["h5"], "r") as file:
        assert file.attrs["format"] == "horde-trajectory"
        assert file.attrs["format_version"] == 1
        assert file.attrs["horde_version"].count(".") == 2
        assert file.attrs["unit"] == "m"
        assert file.attrs["scene"] == "plaza"
        assert file.attrs["dim"] == 2
        assert file.attrs["fps"] * file.attrs["dt"] == pytest.approx(1.0)
        wanted = {"id": np.uint64, "position": np.float64, "velocity": np.float32, "goal": np.uint16,
                  "type": np.uint8, "state": np.uint8}
        rows = file["/agents/id"].shape[0]
        for name, kind in wanted.items():
            column = file["/agents"][name]
            assert column.dtype == kind, name
            assert column.shape == ((rows, 2) if name in ("position", "velocity") else (rows,)), name
            assert column.chunks is not None and column.shuffle and column.compression == "gzip", name


def test_frames_are_the_start_and_every_step(run):
    with h5py.File(run["paths"]["h5"], "r") as file:
        steps = file["/frame/step"][:]
        start = file["/frame/start"][:]
        assert steps.tolist() == list(range(STEPS + 1))
        assert start[0] == 0 and start[-1] == file["/agents/id"].shape[0]
        assert (np.diff(start.astype(np.int64)) >= 0).all()
        assert np.allclose(file["/frame/time"][:], steps * file.attrs["dt"], rtol=1e-12)
        assert start[-1] - start[-2] == run["report"]["agents"]


def test_ids_ascend_in_every_frame(run):
    with h5py.File(run["paths"]["h5"], "r") as file:
        ids = file["/agents/id"][:]
        for step, rows in frames_of_h5(file):
            assert (ids[rows][1:] > ids[rows][:-1]).all(), f"frame {step}"


def test_csv_and_h5_agree_to_the_last_digit(run):
    table = rows_of_csv(run["paths"]["csv"])
    with h5py.File(run["paths"]["h5"], "r") as file:
        frames = frames_of_h5(file)
        step = np.concatenate([np.full(rows.stop - rows.start, number) for number, rows in frames])
        assert [int(row[0]) for row in table] == step.tolist()
        assert [int(row[1]) for row in table] == file["/agents/id"][:].tolist()
        numbers = np.array([[float(text) for text in row[2:]] for row in table])
        assert (numbers[:, :2].view(np.uint64) == file["/agents/position"][:].view(np.uint64)).all()
        assert (numbers[:, 2:] == file["/agents/velocity"][:].astype(np.float64)).all()
        # Shortest: no text of the same number has fewer digits than Python's.
        for row in table[:: max(1, len(table) // 500)]:
            for text in row[2:]:
                assert len(text) <= len(repr(float(text))), text


def test_text_is_what_pedpy_expects(run):
    lines = run["paths"]["txt"].read_text().splitlines()
    assert lines[1].split() == ["#", "id", "frame", "x/m", "y/m"]
    with h5py.File(run["paths"]["h5"], "r") as file:
        assert lines[0].startswith("# framerate: ")
        assert float(lines[0].split()[2]) == file.attrs["fps"]
        table = [line.split("\t") for line in lines[2:]]
        ids = file["/agents/id"][:]
        assert [int(row[0]) for row in table] == ids.tolist()
        counts = [rows.stop - rows.start for _, rows in frames_of_h5(file)]
        frame = np.repeat(np.arange(len(counts)), counts)
        assert [int(row[1]) for row in table] == frame.tolist()
        position = np.array([[float(row[2]), float(row[3])] for row in table])
        assert (position == file["/agents/position"][:]).all()


def test_nobody_is_ever_inside_a_wall(run):
    with h5py.File(run["paths"]["h5"], "r") as file:
        cost = file["/map/cost"][:]
        side = file["/map/cost"].attrs["cell_size"]
        assert (cost == 255).any(), "a map without walls proves nothing"
        cell = np.floor(file["/agents/position"][:] / side).astype(int)
    assert (cell >= 0).all() and (cell < [cost.shape[1], cost.shape[0]]).all()
    assert (cost[cell[:, 1], cell[:, 0]] != 255).all()
    for row in rows_of_csv(run["paths"]["csv"]):
        column, line = int(float(row[2]) // side), int(float(row[3]) // side)
        assert cost[line, column] != 255, row


def test_every_kth_frame_and_the_last(run, tmp_path):
    out = {ending: tmp_path / f"a.{ending}" for ending in ("h5", "csv", "txt")}
    outs = [word for path in out.values() for word in ("--out", path)]
    done = horde("run", PLAZA, "--steps", STEPS, "--every", 16, *outs, "--json")
    assert done.returncode == 0, done.stderr
    with h5py.File(out["h5"], "r") as few, h5py.File(run["paths"]["h5"], "r") as all_frames:
        assert few["/frame/step"][:].tolist() == [0, 16, 32, 40]
        assert few.attrs["fps"] * 16 == pytest.approx(all_frames.attrs["fps"])
        whole = dict(frames_of_h5(all_frames))
        for step, rows in frames_of_h5(few):
            assert (few["/agents/position"][rows] == all_frames["/agents/position"][whole[step]]).all()
        assert [k for k in sorted({int(row[0]) for row in rows_of_csv(out["csv"])})] == [0, 16, 32, 40]
        lines = out["txt"].read_text().splitlines()
        assert float(lines[0].split()[2]) == few.attrs["fps"]
        assert sorted({int(line.split("\t")[1]) for line in lines[2:]}) == [0, 1, 2]


def test_every_format_starts_the_same_run(run, tmp_path):
    hashes = []
    for ending in ("h5", "csv"):
        out = tmp_path / f"again-{ending}.csv"
        done = horde("run", PLAZA, "--start", run["paths"][ending], "--steps", 5, "--every", 5, "--out", out,
                     "--json")
        assert done.returncode == 0, done.stderr
        hashes.append(json.loads(done.stdout)["state_hash"])
        first = [row[1:] for row in rows_of_csv(run["paths"]["csv"]) if row[0] == "0"]
        assert [row[1:] for row in rows_of_csv(out) if row[0] == "0"] == first
    assert len(set(hashes)) == 1


def test_the_picture_shows_the_agents(run, tmp_path):
    assert run["paths"]["png"].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    text = pathlib.Path(PLAZA).read_text(encoding="utf-8")
    small = re.sub(r"(?m)^\[view\]\n(?:[^\[\n]*\n)*", "", text) + '\n[view]\ncolour = "speed"\nwidth = 480\n'
    (tmp_path / "small.toml").write_text(small, encoding="utf-8")
    done = horde("run", tmp_path / "small.toml", "--steps", 5, "--picture", tmp_path / "a.png", "--json")
    assert done.returncode == 0, done.stderr
    pixels = read_png(tmp_path / "a.png")
    assert max(pixels.shape[:2]) == 480
    vivid = pixels.max(axis=2) - pixels.min(axis=2) > 90  # agents: nothing else is as colourful
    assert vivid.sum() >= json.loads(done.stdout)["agents"]
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50


@pytest.mark.parametrize("ending", ["h5", "csv", "txt", "xyz", "vtk"])
def test_a_place_that_cannot_be_written_is_one_line(tmp_path, ending):
    (tmp_path / "file").write_text("")
    path = tmp_path / f"plain.{ending}" if ending == "vtk" else tmp_path / "file" / f"a.{ending}"
    done = horde("run", PLAZA, "--steps", 2, "--out", path, "--json")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1 and str(path) in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
