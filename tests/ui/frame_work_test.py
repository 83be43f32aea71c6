#!/usr/bin/env python3
"""A frame in which nothing changes does no work per row of a table, however long the table is. Tests compare no times, so this one
counts comparisons of texts, with functions that replace those of the C library.

    python3 tests/ui/frame_work_test.py --traceview build/release/app/traceview
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

ROWS, FRAMES = 5000, 100

COUNT = r"""
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned long calls;
static int compared(const unsigned char* a, const unsigned char* b, size_t n) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  for (; n; --n, ++a, ++b) if (*a != *b) return *a - *b;
  return 0;
}
int memcmp(const void* a, const void* b, size_t n) { return compared(a, b, n); }
int bcmp(const void* a, const void* b, size_t n) { return compared(a, b, n); }
int __memcmpeq(const void* a, const void* b, size_t n) { return compared(a, b, n); }
__attribute__((destructor)) static void at_end(void) {
  FILE* file = getenv("COMPARED") ? fopen(getenv("COMPARED"), "w") : 0;
  if (file) fprintf(file, "%lu", calls), fclose(file);
}
"""


def library(folder):
    source, made = folder / "count.c", folder / "count.so"
    source.write_text(COUNT)
    subprocess.run([compiler(), "-shared", "-fPIC", "-O2", "-fno-builtin", "-o", made, source], check=True)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    traceview = parser.parse_args().traceview
    if SANITIZED:
        skip_script("a sanitizer counts these calls itself")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        counting = library(folder)
        # Each name occurs once, and all are equally long; the selected one is in the last row.
        (folder / "many.json").write_text(json.dumps(
            [{"ph": "X", "name": f"name {i:06d}", "cat": "c", "pid": 1, "tid": 1, "ts": 10 * i, "dur": ROWS - i} for i in range(ROWS)]))

        def comparisons(frames):
            script = f"""
open {folder}/many.json
click tab statistics
settle
press /
type "name {ROWS - 1:06d}"
press Enter
press Esc
settle
expect selected.name = "name {ROWS - 1:06d}"
expect statistics.rows = {ROWS}
frames {frames}
"""
            environment = dict(os.environ, LD_PRELOAD=str(counting), COMPARED=str(folder / "compared"))
            done = subprocess.run([traceview, "script", "-", "--size", "900x600"], input=script, env=environment, capture_output=True,
                                  text=True, timeout=300)
            assert done.returncode == 0, done.stderr
            return int((folder / "compared").read_text())

        first = comparisons(1)
        if first < ROWS:
            skip_script("this compiler compares without calls")
        each = (comparisons(1 + FRAMES) - first) / FRAMES
        print(f"{each:.0f} comparisons in a frame with {ROWS} rows")
        return 0 if each < ROWS / 2 else 1


if __name__ == "__main__":
    sys.exit(main())
