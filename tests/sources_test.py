#!/usr/bin/env python3
"""Three rules for sources: pages that comments name are in the project; texts of the window ask the keymap for keys; and the top level
has what CONTRIBUTING.md says and nothing else, since a compiler's leftovers were once committed there.

    python3 tests/sources_test.py [--traceview IGNORED]
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("core", "ui", "app", "tests", "third_party", "assets/pictures")
ENDINGS = (".h", ".cpp", ".py", ".inc", ".cmake")
TOP = {"CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "README.md", "app", "assets", "core", "tests", "third_party", "ui",
       ".ci", ".clang-format", ".gitattributes", ".gitignore"}  # fmt: skip
# A key of the keymap in a text: "New tab (Ctrl+T)", "all lanes (E)". Mouse gestures such as Ctrl+click cannot be changed.
KEY_IN_TEXT = re.compile(r'"[^"]*(\b(Ctrl|Alt)\+(Shift\+)?[A-Z0-9]\b|\([A-Z/]\)|\b[Pp]ress [A-Z/] |\b(with |\()F[1-9]\b'
                         r'|\b(Delete|Esc|[A-Z]) (brings|clears|deletes|goes|removes|shows|stops)\b)[^"]*"')  # fmt: skip
KEYS_OF_THEIR_OWN = ("core/view/keys", "ui/widgets/table")  # they name keys as examples, or keys that only tables have
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

    def test_no_text_of_the_window_names_a_key_that_its_user_may_have_changed(self):
        files = [path for folder in ("core", "ui") for path in sorted((ROOT / folder).rglob("*.cpp"))]
        self.assertGreater(len(files), 100)
        for path in files:
            where = str(path.relative_to(ROOT))
            if where.startswith(KEYS_OF_THEIR_OWN):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                self.assertIsNone(KEY_IN_TEXT.search(re.sub(r"(^|\s)//.*", "", line)), f"{where}:{number}: ask binding() for the key")

    def test_nothing_else_stands_at_the_top(self):
        listed = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True)
        if listed.returncode == 0:
            names = {name.split("/")[0] for name in listed.stdout.splitlines()}
        else:  # no checkout of git
            names = {each.name for each in ROOT.iterdir()} - {"build", "traceview.png", "imgui.ini"}
        self.assertEqual(names, TOP)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
