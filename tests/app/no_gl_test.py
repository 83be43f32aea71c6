#!/usr/bin/env python3
"""Machines with incomplete OpenGL: EGL is there and libGL.so.1 is not, as after only some packages were installed. The program
refuses to draw a PNG and names what to install; nothing crashes. What needs no pixels still works: scripts, and pictures as SVG. A
library that is loaded first hides libGL.so.

    python3 tests/app/no_gl_test.py --traceview build/release/app/traceview
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skips import SANITIZED, compiler, skip_script  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
HIDE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
void* dlopen(const char* name, int flags) {
  static void* (*real)(const char*, int);
  if (!real) real = (void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen");
  return name && strstr(name, "libGL.so") ? 0 : real(name, flags);
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = os.path.abspath(parser.parse_args().traceview)
    if SANITIZED:
        skip_script("a sanitizer must be loaded first")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "hide.c").write_text(HIDE)
        subprocess.run([compiler(), "-shared", "-fPIC", "-o", folder / "hide.so", folder / "hide.c", "-ldl"], check=True)
        words = [traceview, "screenshot", ROOT / "tests/ui/scripts/data/keys.json", "-o", folder / "a.png", "--no-cache"]
        whole = subprocess.run(words, capture_output=True, text=True, timeout=120)
        assert whole.returncode == 0, whole.stderr
        (folder / "a.png").unlink()
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, env=os.environ | {"LD_PRELOAD": str(folder / "hide.so")})
        assert done.returncode > 0, done
        assert "apt install libgl1" in done.stderr, done
        assert not (folder / "a.png").exists()
        print(done.returncode, done.stderr)

        without = os.environ | {"LD_PRELOAD": str(folder / "hide.so")}
        for panel in (["--panel", "durations"], []):
            svg = folder / "a.svg"
            subprocess.run([*words[:4], svg, "--no-cache", *panel], check=True, timeout=120, env=without)
            assert svg.read_text().rstrip().endswith("</svg>")
            svg.unlink()
        # More vertices in a frame than 16 bits can count: without OpenGL, too, ImGui has to be told that this is supported.
        dense = folder / "dense.json"
        dense.write_text(json.dumps([{"ph": "X", "name": f"{lane} " + 60 * "il.", "pid": 1, "tid": lane, "ts": 1000 * i, "dur": 999}
                                     for lane in range(90) for i in range(12)]))  # fmt: skip
        subprocess.run([traceview, "screenshot", dense, "-o", folder / "a.svg", "--no-cache", "--size", "3840x2160"], check=True, timeout=120)

        (folder / "a.script").write_text(f'open {words[2]}\nsettle\nscreenshot {folder / "a.png"}\nexpect trace.slices = 20\n')
        done = subprocess.run([traceview, "script", folder / "a.script"], capture_output=True, text=True, timeout=120, env=without)
        assert done.returncode == 1 and "a.script:3:" in done.stderr and "a.script:4:" not in done.stderr, done
        assert "apt install libgl1" in done.stderr, done


if __name__ == "__main__":
    main()
