#!/usr/bin/env python3
"""Names, paths and messages from files are only data: they do not control a terminal, and no spreadsheet evaluates them."""

import argparse
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tty
import unittest

ORDERS = "\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\u202e"
FORMULA = "=cmd|' /C calc'!A0"
PROGRAM = None


class HostileText(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.trace = str(pathlib.Path(self.folder.name) / f"trace{ORDERS[:4]}.json")
        events = [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "worker" + ORDERS}}]
        events += [
            {"ph": "X", "name": name, "cat": "c" + ORDERS, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5, "args": {"key" + ORDERS: ORDERS}}
            for i, name in enumerate(("kernel" + ORDERS, FORMULA, "a,b", "-1"))
        ]
        events.append({"ph": "X", "name": "early", "pid": 1, "tid": 2, "ts": 1e300, "dur": 1})  # a problem with an excerpt
        pathlib.Path(self.trace).write_text(json.dumps({"traceEvents": events}))

    def run_it(self, *args):
        done = subprocess.run([PROGRAM, *args], capture_output=True, timeout=120)
        return done.returncode, done.stdout.decode("utf-8", "strict"), done.stderr.decode("utf-8", "strict")

    def assert_only_letters(self, text, about):
        orders = [c for c in text if (ord(c) < 32 and c not in "\t\n\r") or 0x7F <= ord(c) < 0xA0 or c == "\u202e"]
        self.assertEqual(orders, [], about)
        self.assertNotIn("\r", text.replace("\r\n", "\n"), about)

    def test_no_verb_hands_orders_to_the_terminal(self):
        for args in (("info",), ("info", "--json"), ("stats",), ("stats", "--group-by", "lane"), ("stats", "--csv"), ("stats", "--json"),
                     ("find", "kernel"), ("find", "kernel", "--json")):  # fmt: skip
            exit, out, err = self.run_it(*args, self.trace) if args[0] != "find" else self.run_it("find", args[1], self.trace, *args[2:])
            self.assertEqual(exit, 0, (args, err))
            self.assertNotEqual(out, "", args)
            self.assert_only_letters(out, args)
            self.assert_only_letters(err, args)

    def test_an_export_is_made_printable_only_on_a_terminal(self):
        for to in ("csv", "chrome"):
            args = ("export", self.trace, "--to", to, "-o", "-")
            ours, theirs = os.openpty()
            tty.setraw(theirs)  # lines end as they were written
            try:
                self.assertEqual(subprocess.run([PROGRAM, *args], stdout=theirs, stderr=subprocess.DEVNULL, timeout=120).returncode, 0)
                shown = os.read(ours, 1 << 16).decode("utf-8", "strict")  # all of it: a terminal buffers more
            finally:
                os.close(ours)
                os.close(theirs)
            self.assertIn("kernel", shown)
            self.assert_only_letters(shown, args)
        self.assertIn("kernel" + ORDERS, self.run_it("export", self.trace, "--to", "csv", "-o", "-")[1])

    def test_what_is_refused_is_named_in_letters(self):
        for args in (("info", "/no/such" + ORDERS), ("info", self.trace, "--no-such" + ORDERS), ("pack", self.trace, "-o", "/no/such" + ORDERS + "/x.tvx")):
            exit, out, err = self.run_it(*args)
            self.assertNotEqual(exit, 0, args)
            self.assertIn("\\u001b[2J", err, args)
            self.assert_only_letters(out + err, args)

    def test_json_says_what_the_file_holds(self):
        names = {each["name"] for each in json.loads(self.run_it("stats", self.trace, "--json")[1])}
        self.assertEqual(names, {"kernel" + ORDERS, FORMULA, "a,b", "-1"})

    def test_tables_for_sheets_have_no_formulas(self):
        for args in (("stats", self.trace, "--csv"), ("export", self.trace, "--to", "csv", "-o", "-")):
            names = {row["name"] for row in csv.DictReader(io.StringIO(self.run_it(*args)[1], newline=""))}
            self.assertIn("'" + FORMULA, names, args)
            self.assertNotIn(FORMULA, names, args)
            self.assertIn("a,b", names, args)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True)
    given, rest = parser.parse_known_args()
    PROGRAM = given.traceview
    unittest.main(argv=[sys.argv[0], *rest])
