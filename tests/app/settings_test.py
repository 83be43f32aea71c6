#!/usr/bin/env python3
"""`traceview settings`, and that work without a window leaves the user's settings and state alone.

    python3 tests/app/settings_test.py --traceview build/traceview [TEST...]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TRACEVIEW = ""
SAMPLE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "assets/samples/rl_run")


class SettingsVerb(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-settings-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.config = os.path.join(self.folder, "config")
        os.mkdir(self.config)

    def run_it(self, *args, **environment):
        own = {"TRACEVIEW_CONFIG_DIR": self.config, "TRACEVIEW_STATE_DIR": os.path.join(self.folder, "state")}
        return subprocess.run([TRACEVIEW, *args], capture_output=True, text=True, env=os.environ | own | environment)

    def write(self, text):
        with open(os.path.join(self.config, "settings.toml"), "w") as file:
            file.write(text)

    def test_prints_where_and_what(self):
        self.write('theme = "light"\n')
        out = self.run_it("settings")
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertIn(os.path.join(self.config, "settings.toml"), out.stdout)
        self.assertIn('theme = "light"', out.stdout)
        self.assertIn("text_size = 1.0", out.stdout)
        self.assertIn("TRACEVIEW_TEXT_SIZE", out.stdout)

    def test_environment_wins_and_safe_mode_ignores_all(self):
        self.write('theme = "light"\n')
        self.assertIn('theme = "dark"', self.run_it("settings", TRACEVIEW_THEME="dark").stdout)
        self.assertIn('theme = "system"', self.run_it("settings", "--safe-mode").stdout)

    def test_mistakes_are_said_with_line_and_remedy(self):
        self.write('\nthme = "light"\ntext_size = 2.0\n')
        out = self.run_it("settings")
        self.assertIn('line 2: "thme" is not a setting; did you mean "theme"?', out.stderr)
        self.assertIn("text_size = 2.0", out.stdout)

    def test_a_broken_file_is_put_aside(self):
        self.write("theme = [\n")
        out = self.run_it("settings")
        self.assertIn("settings.toml.broken-", out.stderr)
        self.assertEqual(len(os.listdir(self.config)), 1)
        self.assertTrue(os.listdir(self.config)[0].startswith("settings.toml.broken-"))

    def test_every_setting_is_printed_with_what_it_means(self):
        lines = self.run_it("settings").stdout.splitlines()
        values = [i for i, line in enumerate(lines) if " = " in line and not line.startswith("#")]
        self.assertGreaterEqual(len(values), 10)
        for i in values:
            key = lines[i].split(" = ")[0]
            self.assertEqual(lines[i - 1], "# variable TRACEVIEW_" + key.upper())
            self.assertGreater(len(lines[i - 2]), 20, key)  # a sentence

    def test_without_a_home_nothing_is_kept_and_nothing_fails(self):
        bare = {key: value for key, value in os.environ.items() if key in ("PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")}
        out = subprocess.run([TRACEVIEW, "settings"], capture_output=True, text=True, env=bare, cwd=self.folder)
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertIn("no settings file", out.stdout)
        self.assertEqual(sorted(os.listdir(self.folder)), ["config"])

    def test_lanes_and_stored_views_come_back_with_their_trace(self):
        kept = os.path.join(self.folder, "kept")

        def play(*lines):
            out = subprocess.run([TRACEVIEW, "script", "-", "--settings", kept], capture_output=True, text=True, input="\n".join(lines))
            self.assertEqual(out.returncode, 0, out.stderr)

        play(f"open {SAMPLE}", "press Shift+C", 'move name "worker 2"', "press X", "move name console", "press P", "press Shift+1",
             "press Ctrl+Shift+P", 'type "usual motion"', "press Enter", "frames 400")  # fmt: skip
        looks = ['expect lanes.text ~ hidden', 'expect lanes.pinned ~ console.log']
        play(f"open {SAMPLE}", "frames 60", *looks, "expect commands.last = motion.usual", "press Ctrl+Shift+X", "settle", 'expect lanes.text = ""',
             "press Ctrl+1", "settle", *looks)  # fmt: skip

    def test_headless_work_leaves_settings_and_state_alone(self):
        self.write('theme = "light"\n= broken')
        self.run_it("info", SAMPLE)
        self.run_it("screenshot", SAMPLE, "-o", os.path.join(self.folder, "x.png"), "--size", "300x200")
        self.assertEqual(os.listdir(self.config), ["settings.toml"])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "state")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
