#!/usr/bin/env python3
"""Files that versions of November 2026 wrote still open: packed traces, views, settings, keys.

The packed traces are those of tests/fuzz/corpus, made from files in tests/fixtures. The others are in tests/app/earlier.

    python3 tests/app/earlier_versions_test.py --traceview build/traceview
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TRACEVIEW = ""
TESTS = pathlib.Path(__file__).resolve().parents[1]
EARLIER = TESTS / "app/earlier"
PACKS = ("events", "flows", "gpu", "mapped", "megatron", "perfetto", "pipeline", "rollout", "rollout_runs", "together")
SECTIONS_SINCE = (b"owners", b"threads", b"extents")  # trace_file.h


def without_what_is_new(state, before):
    if not isinstance(before, dict):
        return state
    return {key: without_what_is_new(state[key], before[key]) for key in before if key in state}


class EarlierVersions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-earlier-")
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copytree(EARLIER, self.folder, dirs_exist_ok=True)

    def run_it(self, *words, text=None):
        own = {f"TRACEVIEW_{kind}_DIR": self.folder for kind in ("CONFIG", "STATE")}
        result = subprocess.run([TRACEVIEW, *words], capture_output=True, text=True, timeout=60, cwd=TESTS, input=text,
                                env=os.environ | own | {"TRACEVIEW_CACHE_DIR": self.folder + "/cache"}, check=False)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def test_packed_traces_say_what_their_files_say(self):
        for name in PACKS:
            packed = TESTS / f"fuzz/corpus/packed/{name}.tvx"
            with self.subTest(packed=name):
                for section in SECTIONS_SINCE:
                    self.assertNotIn(section, packed.read_bytes(), "it is not of an earlier version")
                sources = json.loads(self.run_it("info", packed, "--json").stdout)["sources"]
                paths = dict.fromkeys(source["path"].removeprefix("tests/") for source in sources)
                for words in (["dump"], ["stats", "--json"]):
                    self.assertEqual(self.run_it(*words, packed).stdout, self.run_it(*words, *paths, "--no-cache").stdout)

    def test_a_view_comes_back_with_all_that_it_says(self):
        view = os.path.join(self.folder, "ranks.tvview")
        before = json.loads(pathlib.Path(view).read_text())
        said = self.run_it("script", "-", text=f"""open {view}
expect trace.slices = 24
expect lanes.pinned.0 = "rank 0 / stream 7"
expect lanes.text = "1 hidden"
expect selected.name = outer
expect notes.names = "span; here"
expect statistics.order = self
expect window.panels = "left: statistics, right: details"
press Ctrl+S
press Enter
""")  # fmt: skip
        after = json.loads(pathlib.Path(view).read_text())
        self.assertEqual([source["relative"] for source in after["sources"]], ["rank0.json", "rank1.json"], said.stderr)
        self.assertNotEqual(after.pop("sources"), before.pop("sources"))  # written again, with the paths of this folder
        self.assertEqual(without_what_is_new(after, before), before)

    def test_each_setting_counts(self):
        result = self.run_it("settings")
        self.assertEqual(result.stderr, "")
        values = re.findall(r"^[a-z_]+ = .*$", (EARLIER / "settings.toml").read_text(), re.M)
        self.assertEqual(len(values), 10)
        for value in values:
            self.assertIn(value, result.stdout.splitlines())

    def test_each_action_has_the_keys_of_its_file(self):
        result = self.run_it("keys", "--json")
        self.assertEqual(result.stderr, "")
        keys = json.loads(result.stdout)
        self.assertEqual(keys["mouse"], "tracy")
        now = {each["id"]: [key for key in each["keys"] if key] for each in keys["keys"]}
        wanted = re.findall(r"^([a-z._0-9]+) = (.*)$", (EARLIER / "keymap.toml").read_text().partition("[keys]")[2], re.M)
        self.assertGreater(len(wanted), 100)
        for action, value in wanted:
            self.assertEqual(now[action], re.findall(r'"([^"]+)"', value), action)


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
