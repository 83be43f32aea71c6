#!/usr/bin/env python3
"""The sources that use a processor's instructions compile without them, as for a processor that has none of them (byte_masks.h).

    python3 tests/read/other_processors_test.py [--traceview IGNORED]
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import case_needs  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MASKS = re.compile(r'#include "core/read/json/(byte_masks|plain_json)\.h"')


class OtherProcessors(unittest.TestCase):
    def test_sources_with_byte_masks_compile_without_them(self):
        case_needs(self, "c++")
        sources = [path for path in sorted((ROOT / "core").rglob("*.cpp")) if MASKS.search(path.read_text())]
        self.assertGreaterEqual(len(sources), 3)
        for source in sources:
            with self.subTest(source.name):
                command = ["c++", "-std=c++20", "-I", ROOT, "-U__SSE2__", "-U__AVX2__", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", source]
                done = subprocess.run(command, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
