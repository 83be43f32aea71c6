#!/usr/bin/env python3
"""traceview keys: what the user's file of keys does, on the command line and in the window.

    python3 tests/app/keys_cli_test.py --traceview build/traceview [TEST...]
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TRACEVIEW = ""
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Keys(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-keys-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = os.path.join(self.folder, "keymap.toml")

    def write(self, text):
        with open(self.file, "w") as file:
            file.write(text)

    def run_it(self, *arguments, expect=0, stdin=None):
        result = subprocess.run([TRACEVIEW, *arguments], capture_output=True, text=True, timeout=120, cwd=ROOT, input=stdin,
                                env={**os.environ, "TRACEVIEW_CONFIG_DIR": self.folder})
        self.assertEqual(result.returncode, expect, f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result

    def keys(self, *arguments, expect=0):
        out = json.loads(self.run_it("keys", "--json", *arguments, expect=expect).stdout)
        return out, {row["id"]: row["keys"] for row in out["keys"]}

    def test_without_a_file_the_defaults(self):
        out, keys = self.keys()
        self.assertEqual(out["mouse"], "perfetto")
        self.assertEqual(keys["view.zoom_in"], ["W", ""])
        self.assertEqual(keys["window.commands"], ["Ctrl+Shift+P", ""])
        self.assertEqual(out["file"], self.file)
        self.assertFalse(os.path.exists(self.file))
        self.assertIn("Ctrl+Shift+P", self.run_it("keys").stdout)

    def test_presets(self):
        out, keys = self.keys("--preset", "chrome")
        self.assertEqual(keys["mouse.timing"], ["4", ""])
        self.assertIn("Alt+Wheel, Ctrl+Wheel", [row["gesture"] for row in out["gestures"]])
        out, _ = self.keys("--preset", "tracy")
        self.assertTrue(any(row["gesture"] == "Drag" and row["title"].startswith("Measure") for row in out["gestures"]))
        self.run_it("keys", "--preset", "nobody", expect=2)

    def test_a_new_file_is_read_as_the_defaults(self):
        self.write(self.run_it("keys", "--file").stdout)
        result = self.run_it("keys")
        self.assertEqual(result.stderr, "")

    def test_the_file_of_the_option_is_read_and_named(self):
        other = os.path.join(self.folder, "other.toml")
        with open(other, "w") as file:
            file.write('[keys]\nmark.add = "Ctrl+J"\n')
        out, keys = self.keys("--keys", other)
        self.assertEqual(keys["mark.add"], ["Ctrl+J", ""])
        self.assertEqual(out["file"], other)
        self.assertIn(f"To change them, edit {other}\n", self.run_it("keys", "--keys", other).stdout)
        self.assertIn(f"To change them, edit {self.file}\n", self.run_it("keys").stdout)
        os.remove(other)
        self.assertEqual(self.run_it("keys", "--keys", other, expect=1).stderr, f"{other}: no such file\n")

    def test_what_is_wrong_has_its_line_and_the_rest_counts(self):
        self.write('[keys]\nview.fit_al = "J"\nmark.add = "Ctrl+J"\nthis is wrong\n')
        result = self.run_it("keys", expect=1)
        self.assertIn(f"{self.file}:2: there is no action view.fit_al: did you mean view.fit_all?", result.stderr)
        self.assertIn(f"{self.file}:4: this is not TOML", result.stderr)
        _, keys = self.keys(expect=1)
        self.assertEqual(keys["mark.add"], ["Ctrl+J", ""])

    def test_files_that_are_no_text(self):
        with open(self.file, "wb") as file:
            file.write(bytes(range(256)) * 40)
        self.run_it("keys", expect=1)
        os.remove(self.file)
        os.mkdir(self.file)
        self.assertIn(f"{self.file}: cannot be read", self.run_it("keys", expect=1).stderr)

    def test_in_the_window(self):
        self.write('mouse = "tracy"\n[keys]\nwindow.drawer = "Ctrl+J"\nview.zoom_in = "J"\n')
        script = """open tests/ui/scripts/data/keys.json
press Q
expect window.drawer = true
press Ctrl+J
expect window.drawer = false
keep span view.span_ns
move 0.5 0.5
hold W 10
expect view.span_ns = $span
hold J 10
expect view.span_ns < $span
press Ctrl+Shift+P
type "show or hide the panels"
expect commands.chosen_id = window.drawer
press Enter
expect window.drawer = true
keep span view.span_ns
move 0.5 0.5
wheel 1
expect view.span_ns < $span
"""
        self.run_it("script", "-", "--keys", self.file, stdin=script)

    def test_texts_of_the_window_name_the_changed_keys(self):
        self.write('[keys]\nmark.restore = "Ctrl+J"\nview.show_3 = "Alt+3"\nview.store_3 = "Alt+Shift+3"\nfile.open = "Ctrl+Y"\n')
        script = """open tests/ui/scripts/data/keys.json
press Alt+3
expect window.notice = "there is no view 3: Shift+Alt+3 stores what is shown"
press Alt+Shift+3
expect window.notice = "view 3 is stored: Alt+3 shows it again"
move 0.5 0.5
press Ctrl+M
type "mine"
press Enter
press Delete
expect window.notice = "\\"mine\\" is deleted: Ctrl+J brings it back"
press Ctrl+J
expect notes.names = mine
press Ctrl+W
press Ctrl+E
drawn export
"""
        drawn = self.run_it("script", "-", "--keys", self.file, stdin=script).stdout
        self.assertNotIn("Ctrl+O", drawn)
        if "text" in drawn:  # from ImGui 1.92 on, the texts that were drawn are unknown
            self.assertIn("Ctrl+Y", drawn)


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True, help="the program to test")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Keys)
    if options.tests:
        suite = unittest.TestSuite(Keys(name) for name in options.tests)
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
