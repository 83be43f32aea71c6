#!/usr/bin/env python3
"""traceview help: the list of topics, pages as wide as the terminal, bold letters only on terminals."""

import argparse
import os
import pty
import subprocess
import sys
import unittest

TRACEVIEW = ""
OK, USAGE = 0, 2


def help_of(*words, expect=OK, **variables):
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    result = subprocess.run([TRACEVIEW, "help", *words], capture_output=True, text=True, env=env | variables, check=False)
    assert result.returncode == expect, result
    return result


def on_terminal(*words, **variables):
    """What a person sees in a terminal."""
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    main, side = pty.openpty()
    with subprocess.Popen([TRACEVIEW, "help", *words], stdout=side, env=env | {"TERM": "xterm"} | variables) as process:
        os.close(side)
        seen = b""
        while True:
            try:
                block = os.read(main, 65536)
            except OSError:  # the other side is closed
                break
            if not block:
                break
            seen += block
        assert process.wait() == OK
    os.close(main)
    return seen.decode()


def prose_widths(text):
    return [len(line) for line in text.splitlines() if not line.startswith("  ")]


class Help(unittest.TestCase):
    def test_without_a_topic_it_lists_them_and_each_is_a_page(self):
        text = help_of().stdout
        topics = [line.split()[0] for line in text.splitlines() if line.startswith("  ")]
        self.assertIn("getting-started", topics)
        self.assertGreater(len(topics), 12)
        for topic in topics:
            page = help_of(topic).stdout
            self.assertGreater(len(page), 400, topic)
            title = next(line.split(None, 1)[1] for line in text.splitlines() if line.split()[:1] == [topic])
            self.assertEqual(page.splitlines()[0], title)

    def test_a_page_is_as_wide_as_the_terminal(self):
        self.assertLessEqual(max(prose_widths(help_of("rollouts").stdout)), 80)
        narrow = prose_widths(help_of("rollouts", COLUMNS="50").stdout)
        self.assertLessEqual(max(narrow), 50)
        self.assertGreater(max(narrow), 40)

    def test_bold_letters_are_for_terminals_and_not_where_no_color_is_set(self):
        self.assertNotIn("\033", help_of("keys").stdout)
        self.assertIn("`Ctrl+O`", help_of("keys").stdout)
        self.assertIn("\033[1mCtrl+O\033[0m", on_terminal("keys"))
        self.assertNotIn("\033", on_terminal("keys", NO_COLOR="1"))
        self.assertNotIn("\033", on_terminal("keys", TERM="dumb"))

    def test_a_verb_is_a_topic(self):
        verb = subprocess.run([TRACEVIEW, "stats", "--help"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(help_of("stats").stdout, verb)

    def test_an_unknown_topic_names_the_one_that_was_meant(self):
        said = help_of("fromats", expect=USAGE)
        self.assertEqual(said.stdout, "")
        self.assertIn('did you mean "formats"?', said.stderr)
        self.assertIn("traceview help", help_of("qqqqqqqq", expect=USAGE).stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True, help="the program to test")
    options, rest = parser.parse_known_args()
    TRACEVIEW = options.traceview
    unittest.main(argv=[sys.argv[0], *rest])
