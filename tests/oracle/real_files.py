"""Which real files an oracle reads. `tests/run all` reads all of them (TV_ALL_FILES). The few largest take most of the time, on the paths
that all others take as well, so every other run leaves them out and says how many; with sanitizers (TV_SANITIZED, set by
tests/CMakeLists.txt) a program takes five to ten times as long, and they are always left out. Traces of many chunks, read on all threads,
are those that tests/session/big_traces_test.cpp generates."""

import atexit
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skips import SANITIZED, skip_part  # noqa: E402

MOST_BYTES = {".gz": 400_000}
MOST_BYTES_PLAIN = 1_000_000


left = []


def too_large(path):
    """True for a file that this run does not read. Says so."""
    most = MOST_BYTES.get(os.path.splitext(path)[1], MOST_BYTES_PLAIN)
    if os.path.getsize(path) <= most or (os.environ.get("TV_ALL_FILES") and not SANITIZED):
        return False
    if SANITIZED:
        skip_part(os.path.basename(path), f"a sanitizer takes minutes for more than {most} bytes")
    left.append(path)
    return True


@atexit.register
def say_left():
    if left and not SANITIZED:
        print(f"{len(left)} larger files are left to tests/run all")
