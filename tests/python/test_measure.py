"""horde measure against the same numbers from NumPy, written from their definitions.

HORDE_BINARY is the program; HORDE_DATA the folder with pedestrians/ (default: shared/data beside the repository).
"""
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(os.environ.get("HORDE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BINARY = os.path.abspath(os.environ.get("HORDE_BINARY", str(ROOT / "build" / "bin" / "horde")))
DATA = pathlib.Path(os.environ.get("HORDE_DATA", ROOT.parent / "shared" / "data")) / "pedestrians"

pytestmark = pytest.mark.skipif(not os.path.exists(BINARY), reason=f"{BINARY} is absent")


def horde(*arguments):
    done = subprocess.run([BINARY, *map(str, arguments), "--json"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def tracks_of(rows):
    """Frames and positions of each id, in order of frames; rows are id, frame, x, y."""
    tracks = {}
    for ident in np.unique(rows[:, 0]):
        own = rows[rows[:, 0] == ident]
        tracks[int(ident)] = own[np.argsort(own[:, 1], kind="stable")]
    return tracks


def velocities_of(rows, fps):
    """Per row of each track: backward difference; forward at the first row and after a gap; NaN without either."""
    out = {}
    for ident, track in tracks_of(rows).items():
        steps = np.diff(track[:, 1])
        by_step = np.diff(track[:, 2:4], axis=0) * fps
        by_step[steps != 1] = np.nan
        velocity = np.vstack([[[np.nan, np.nan]], by_step])
        lacking = np.isnan(velocity[:, 0])
        forward = np.vstack([by_step, [[np.nan, np.nan]]])
        velocity[lacking] = forward[lacking]
        for frame, v in zip(track[:, 1], velocity):
            out[(int(frame), ident)] = v
    return out


def metrics_of(position, velocity, radius):
    """All metrics of one 2D frame; None where undefined."""
    n = len(position)
    speed = np.hypot(velocity[:, 0], velocity[:, 1])
    moving = speed >= 1e-12
    unit = np.where(moving[:, None], velocity / np.where(moving, speed, 1)[:, None], 0)
    found = {"agents": n, "moving_agents": moving.sum(), "mean_speed": speed.mean(),
             "polarization": np.hypot(*unit.mean(axis=0)),
             "polarization_moving": np.hypot(*unit[moving].mean(axis=0)) if moving.any() else None}
    offset = position - position.mean(axis=0)
    length = np.hypot(offset[:, 0], offset[:, 1])
    outward = offset / np.where(length < 1e-12, 1, length)[:, None]
    box = np.prod(position.max(axis=0) - position.min(axis=0))
    distance = np.hypot(*(position[:, None] - position[None]).transpose(2, 0, 1))
    label = np.arange(n)
    for _ in range(n):  # spread the lowest label
        label = np.where(distance <= radius, label[None], n).min(axis=1)
    np.fill_diagonal(distance, np.inf)
    pairs = distance[np.triu_indices(n, 1)]
    found.update({
        "rotation": abs((outward[:, 0] * unit[:, 1] - outward[:, 1] * unit[:, 0]).mean()) if n > 1 else None,
        "mean_pair_distance": pairs.mean() if n > 1 else None,
        "nearest_neighbour_distance": distance.min(axis=1).mean() if n > 1 else None,
        "lowest_separation": pairs.min() if n > 1 else None,
        "clusters": len(np.unique(label)), "largest_cluster": np.bincount(label).max() / n,
        "density": n / box if box > 0 else None})
    return found


def compare(report, rows, velocity_at, radius):
    frames = np.unique(rows[:, 1])
    assert report["frame"] == frames.astype(int).tolist()
    assert report["rows"] == len(rows)
    assert report["agents_seen"] == len(np.unique(rows[:, 0]))
    expected = {}
    for frame in frames:
        own = rows[rows[:, 1] == frame]
        own = own[np.argsort(own[:, 0])]
        velocity = np.array([velocity_at[(int(frame), int(ident))] for ident in own[:, 0]])
        assert not np.isnan(velocity).any(), "a file for which the reader's rule matters needs a test of its own"
        for name, value in metrics_of(own[:, 2:4], velocity, radius).items():
            expected.setdefault(name, []).append(value)
    for name, values in expected.items():
        got = report[name]["values"]
        assert [v is None for v in got] == [v is None for v in values], name
        known = [(a, b) for a, b in zip(got, values) if b is not None]
        assert np.allclose(*zip(*known), rtol=1e-9, atol=1e-9), name
        assert report[name]["frames"] == len(known)
        assert report[name]["mean"] == pytest.approx(np.mean([b for _, b in known]), rel=1e-9, abs=1e-12), name


@pytest.mark.parametrize("name, options, fps, metre",
                         [("traj_UNI_CORR_500_01.txt", [], 25, 1), ("uo-050-180-180.txt", ["--fps", 16, "--unit", "cm"], 16, 0.01)])
def test_pedestrians_of_text(name, options, fps, metre):
    if not (DATA / name).exists():
        pytest.skip(f"{DATA / name} is absent")
    report = horde("measure", DATA / name, *options, "--per-frame", "--radius", 1)
    rows = np.loadtxt(DATA / name)[:, :4]
    rows[:, 2:4] *= metre
    assert report["velocities"] == "differences" and report["velocities_unknown"] == 0
    assert report["heights_left_out"] is True
    compare(report, rows, velocities_of(rows, fps), 1)


def test_pedestrians_of_csv_keep_their_own_velocities():
    path = DATA / "n34_cam2.csv"
    if not path.exists():
        pytest.skip(f"{path} is absent")
    report = horde("measure", path, "--unit", "m", "--per-frame", "--radius", 1)
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    assert report["velocities"] == "file"
    velocity_at = {(int(row[1]), int(row[0])): row[4:6] for row in table}
    compare(report, table[:, :4], velocity_at, 1)


def test_a_flock_of_our_own(tmp_path):
    names = {ending: tmp_path / f"a.{ending}" for ending in ("csv", "h5", "xyz", "txt")}
    outs = [word for path in names.values() for word in ("--out", path)]
    horde("run", ROOT / "scenes" / "cuplan.toml", "--agents", 150, "--steps", 60, *outs)
    table = np.loadtxt(names["csv"], delimiter=",", skiprows=1)
    rows = table[:, [1, 0, 2, 3]]
    velocity_at = {(int(row[0]), int(row[1])): row[4:6] for row in table}
    for ending in ("csv", "h5", "xyz"):
        compare(horde("measure", names[ending], "--per-frame", "--radius", 3), rows, velocity_at, 3)
    text = horde("measure", names["txt"], "--per-frame", "--radius", 3)
    assert text["velocities"] == "differences" and text["fps"] == 20
    compare(text, rows, velocities_of(rows, 20), 3)
