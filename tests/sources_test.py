#!/usr/bin/env python3
"""A page that a comment names is in the project: a source that leads nowhere helps no reader.

    python3 tests/sources_test.py [--traceview IGNORED]
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("core", "ui", "app", "tests", "third_party", "assets/pictures")
ENDINGS = (".h", ".cpp", ".py", ".inc", ".cmake")
# Names that tests make up.
MADE_UP = ("tests/view/manual_test.cpp", "core/view/manual/manual_page.cpp")


def pages_named(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        line = re.search(r"(//|#|Source: ).*|$", line)[0]
        for name in re.findall(r"[\w./-]*\w\.md\b", line):
            yield number, name


class Sources(unittest.TestCase):
    def test_every_page_that_is_named_is_there(self):
        pages = {str(each.relative_to(ROOT)) for each in ROOT.rglob("*.md") if "build" not in each.relative_to(ROOT).parts}
        names = 0
        for folder in FOLDERS:
            for path in sorted((ROOT / folder).rglob("*")):
                where = str(path.relative_to(ROOT))
                if path.suffix not in ENDINGS or where in MADE_UP:
                    continue
                for number, name in pages_named(path):
                    names += 1
                    there = any(("/" + page).endswith("/" + name.lstrip("./")) for page in pages)
                    self.assertTrue(there, f"{where}:{number}: there is no {name}")
        self.assertGreater(names, 5)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
