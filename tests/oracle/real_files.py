"""Which real files an oracle reads. The build without sanitizers reads all of them. With them (TV_SANITIZED, set by
tests/CMakeLists.txt) a program takes five to ten times as long, and the largest few files take most of that on the paths that
all others take as well: there they are left out, and named. Traces of many chunks, read on all threads, are those that
tests/session/big_traces_test.cpp generates."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skips import SANITIZED, skip_part  # noqa: E402

MOST_BYTES = {".gz": 400_000}
MOST_BYTES_PLAIN = 1_000_000


def too_large(path):
    """True, and says so, for a file that is not read by a build with sanitizers."""
    most = MOST_BYTES.get(os.path.splitext(path)[1], MOST_BYTES_PLAIN)
    if not SANITIZED or os.path.getsize(path) <= most:
        return False
    skip_part(os.path.basename(path), f"a sanitizer takes minutes for more than {most} bytes")
    return True
