#!/usr/bin/env python3
"""View files on the command line: saved by the window (a script), opened at another path by every verb, taken along by pack.

    python3 tests/app/view_files_test.py --traceview build/traceview
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


def event(name, ts, dur):
    return {"ph": "X", "name": name, "cat": "test", "pid": 1, "tid": 2, "ts": ts, "dur": dur}


class ViewFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-views-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.here = os.path.join(self.folder, "here")
        os.mkdir(self.here)
        for name, shift in (("a", 0), ("b", 2000)):
            with open(os.path.join(self.here, name + ".json"), "w", encoding="utf-8") as out:
                json.dump([event("op_" + name, shift, 1000), event("inner", shift + 100, 200)], out)

    def run_it(self, *words, expect=0, text=None):
        environment = os.environ | {"TRACEVIEW_CACHE_DIR": os.path.join(self.folder, "cache"), "HOME": self.folder}
        result = subprocess.run([TRACEVIEW, *words], capture_output=True, text=True, timeout=60, env=environment, input=text)
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def save(self):
        self.run_it(
            "script",
            "-",
            text=f"""open {self.here}/a.json {self.here}/b.json
move 0.5 0.5
press M
press Ctrl+M
type "tail"
press Enter
press Ctrl+S
press Enter
expect notes.file ~ a.tvview
""",
        )
        there = os.path.join(self.folder, "there")
        shutil.move(self.here, there)
        return os.path.join(there, "a.tvview")

    def test_a_view_of_one_path_opens_at_another(self):
        view = self.save()
        info = json.loads(self.run_it("info", view, "--json").stdout)
        self.assertEqual([os.path.basename(s["path"]) for s in info["sources"]], ["a.json", "b.json"])
        stats = json.loads(self.run_it("stats", view, "--json").stdout)
        self.assertIn("op_b", json.dumps(stats))
        for words in (["screenshot", view], ["screenshot", "--view", view], ["screenshot", os.path.dirname(view), "--view", view]):
            picture = os.path.join(self.folder, "x.png")
            self.run_it(*words, "-o", picture, "--size", "640x400")
            self.assertGreater(os.path.getsize(picture), 1000)
            os.remove(picture)
        self.run_it("script", "-", text=f"open {view}\nexpect notes.names = tail\nexpect trace.slices = 4\n")

    def test_an_alignment_on_the_command_line_comes_before_that_of_the_view(self):
        view = self.save()
        with open(view, encoding="utf-8") as saved:
            state = json.load(saved)
        state["read"]["align"] = "zero"
        with open(view, "w", encoding="utf-8") as out:
            json.dump(state, out)
        for words, align in (([], "zero"), (["--align", "recorded"], "recorded"), (["--align", "fold"], "fold")):
            info = json.loads(self.run_it("info", view, "--json", *words).stdout)
            self.assertEqual(info["align"], align, words)

    def test_clocks_on_the_command_line_come_before_those_of_the_view(self):
        view = self.save()
        with open(view, encoding="utf-8") as saved:
            state = json.load(saved)
        state["read"]["clocks"] = [{"files": "b.json", "offset_ns": 5000}]
        with open(view, "w", encoding="utf-8") as out:
            json.dump(state, out)
        # Alignment by barriers starts from the clocks of the view.
        for words, offset in (([], 5000), (["--clock", "barriers"], 5000), (["--clock", "b.json=1ms"], 1000000)):
            info = json.loads(self.run_it("info", view, "--json", *words).stdout)
            self.assertEqual([source["clock_offset_ns"] for source in info["sources"]], [0, offset], words)

    def test_what_is_missing_is_named(self):
        view = self.save()
        os.remove(os.path.join(os.path.dirname(view), "b.json"))
        result = self.run_it("stats", view)
        self.assertIn("not found", result.stderr)
        self.assertIn("b.json", result.stderr)
        os.remove(os.path.join(os.path.dirname(view), "a.json"))
        self.assertIn("nothing that this view names is there", self.run_it("stats", view, expect=1).stderr)
        with open(view, "w", encoding="utf-8") as out:
            out.write("{")
        self.assertIn("not JSON", self.run_it("info", view, expect=1).stderr)

    def test_a_packed_trace_carries_its_notes(self):
        view = self.save()
        packed = os.path.join(self.folder, "y.tvx")
        self.run_it("pack", view, "-o", packed)
        shutil.rmtree(os.path.dirname(view))
        self.run_it("script", "-", text=f"open {packed}\nexpect notes.names = tail\nexpect trace.slices = 4\n")

    def test_items_are_packed_again_when_what_the_view_says_changes(self):
        view, packed = self.save(), os.path.join(self.folder, "packed")

        def are_kept(*words):
            items = json.loads(self.run_it("pack", "--each", view, "-o", packed, "--json", *words).stdout)
            return ["there_already" in item for item in items]

        self.assertEqual(are_kept(), [False, False])
        self.assertEqual(are_kept(), [True, True])
        with open(view, encoding="utf-8") as saved:
            state = json.load(saved)
        state["notes"][0]["name"] = "another"
        with open(view, "w", encoding="utf-8") as out:
            json.dump(state, out)
        self.assertEqual(are_kept(), [False, False])
        self.assertEqual(are_kept(), [True, True])
        self.assertEqual(are_kept("--clock", "barriers"), [False, False])
        self.assertEqual(are_kept("--clock", "barriers"), [True, True])
        self.run_it("script", "-", text=f"open {packed}/a.tvx\nexpect notes.names = another\n")

    def test_a_folder_with_a_view_is_opened_as_its_traces(self):
        view = self.save()
        info = json.loads(self.run_it("info", os.path.dirname(view), "--json").stdout)
        self.assertEqual([os.path.basename(s["path"]) for s in info["sources"]], ["a.json", "b.json"])


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
