"""The code blocks of README and guide do what they say: `sh` blocks run, `python` blocks run after them, and the
`cpp` block of the guide is the program that the install test builds."""

import json
import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

ROOT = Path(os.environ["HORDE_SOURCE_DIR"])
BINARY = Path(os.environ["HORDE_BINARY"])


def blocks(page, language):
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def clone(tmp_path):
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/horde").symlink_to(BINARY)
    return tmp_path


def run_shell(text, clone):
    path = f"{clone / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=clone, env={**os.environ, "PATH": path},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_readme_commands_work(clone):
    commands = blocks("README.md", "sh")
    assert commands
    for text in commands:
        run_shell(text, clone)
    assert (clone / "mine.toml").exists()
    assert (clone / "out/plaza.csv").read_text().startswith("frame,id,x,y,vx,vy\n0,0,")
    assert (clone / "out/plaza.png").read_bytes().startswith(b"\x89PNG")


def test_guide_reads_what_horde_writes(clone):
    run_shell("horde run scenes/plaza.toml --steps 20 --out out/plaza.h5", clone)
    for text in blocks("docs/guide.md", "python"):
        done = subprocess.run(["/usr/bin/python3", "-c", text], cwd=clone, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("1.0 "), done.stdout


def test_guide_commands_work(clone):
    commands = blocks("docs/guide.md", "sh")
    assert commands
    for text in commands:
        run_shell(text, clone)
    assert (clone / "out/point.1").exists()


def test_guide_fights(clone):
    (fights,) = [text for text in blocks("docs/guide.md", "sh") if "siege" in text]
    text = run_shell(fights, clone)
    assert re.search(r"combat +[1-9]\d* attacks, [1-9]\d* hits", text), text
    assert re.search(r"behaviours +changed [1-9]\d* times", text), text
    for name in ("hunt", "siege"):
        assert (clone / f"out/{name}.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((clone / "out/siege.json").read_text())["combat"]["attacks"] > 0


def test_guide_program_is_the_one_that_is_built():
    (program,) = blocks("docs/guide.md", "cpp")
    assert program == (ROOT / "tests/install/stranger.cpp").read_text()


def test_guide_loop_of_an_engine_is_the_one_that_is_tested():
    (loop,) = blocks("docs/guide.md", "c\\+\\+")
    assert textwrap.indent(loop, "    ") in (ROOT / "tests/sim/engine_loop_test.cpp").read_text()


@pytest.mark.parametrize("page", ["README.md", "docs/guide.md", "docs/tour.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text()):
        if not target.startswith("http"):
            assert ((ROOT / page).parent / target).exists(), target
