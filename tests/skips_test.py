#!/usr/bin/env python3
"""Checks which skips tests/skips finds in a log of ctest and which of them it allows; and that no test skips without such a line.

    python3 tests/skips_test.py [--traceview IGNORED]
"""

import importlib.machinery
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent
SCRIPT = str(TESTS / "skips")


def loaded(path):
    loader = importlib.machinery.SourceFileLoader("skips_script", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("skips_script", loader))
    loader.exec_module(module)
    return module


skips = loaded(SCRIPT)


def log(**outputs):
    """A log as ctest 3.25 writes it, with these outputs by test."""
    text = "Start testing: Nov 28 09:01 UTC\n" + 58 * "-" + "\n"
    for number, (name, output) in enumerate(outputs.items()):
        text += (f'{number + 1}/{len(outputs)} Testing: {name}\n{number + 1}/{len(outputs)} Test: {name}\nCommand: "/usr/bin/sh" "SKIPPED: x"\n'
                 f'Directory: /b\n"{name}" start time: Nov 28 09:01 UTC\nOutput:\n{58 * "-"}\n{output}<end of output>\nTest time =   0.00 sec\n'
                 f'{58 * "-"}\nTest Passed.\n"{name}" end time: Nov 28 09:01 UTC\n{58 * "-"}\n')  # fmt: skip
    return text + "\nEnd testing: Nov 28 09:01 UTC\n"


class Skips(unittest.TestCase):
    def found(self, **outputs):
        return skips.Build("b", log(**outputs)).skips

    def judged(self, allowed, *logs):
        said, wrong = skips.judge([skips.Build(f"build/{i}", each) for i, each in enumerate(logs)], skips.allowed_of(allowed))
        return [line.strip() for line in said], wrong

    def test_lines_are_found_with_the_name_of_their_test(self):
        self.assertEqual(self.found(**{"ui/a_test.py": "x\nSKIPPED: not installed: zenity\nOutput:\n"}), {"ui/a_test.py": ["not installed: zenity"]})
        self.assertEqual(self.found(**{"ui/a_test.py": "..SKIPPED [Case.test_b]: no\n.\n"}), {"ui/a_test.py: Case.test_b": ["no"]})
        self.assertEqual(self.found(**{"io: one, [two]": "SKIPPED [one, [two]]: a: b\n"}), {"io: one, [two]": ["a: b"]})
        self.assertEqual(self.found(**{"io: all cases": "SKIPPED [gl: three]: no\n"}), {"io: gl: three": ["no"]})
        self.assertEqual(self.found(a="nothing was skipped\nNOT SKIPPED\n"), {})

    def test_only_what_the_list_has_is_allowed(self):
        allowed = "# of ours\n*|no sample data: there is no *  # why\nui/* | no nsys\n"
        one = log(**{"ui/a_test.py": "SKIPPED: no nsys\n", "io: b": "SKIPPED [b]: no sample data: there is no /x\n"})
        self.assertEqual(self.judged(allowed, one), (["io: b: no sample data: there is no /x (build/0; allowed)", "ui/a_test.py: no nsys (build/0; allowed)"], False))
        two = log(**{"io: b": "SKIPPED [b]: no nsys\n"})
        self.assertEqual(self.judged(allowed, two), (["io: b: no nsys (build/0; NOT ALLOWED)"], True))
        self.assertEqual(self.judged(allowed, log(a="")), ([], False))

    def test_what_another_build_has_run_was_asked(self):
        release, sanitized = log(**{"io: b": "", "py": ""}), log(**{"io: all cases": "SKIPPED [b]: x\n", "py": "SKIPPED [C.t]: y\n"})
        said, wrong = self.judged("", release, sanitized)
        self.assertEqual((said, wrong), (["io: b: x (build/1; but run in build/0)", "py: C.t: y (build/1; but run in build/0)"], False))
        self.assertTrue(self.judged("", sanitized)[1])
        self.assertTrue(self.judged("", sanitized, sanitized)[1])
        self.assertTrue(self.judged("", sanitized, log(other=""))[1])

    def test_as_a_program(self):
        with tempfile.TemporaryDirectory() as folder:
            there = pathlib.Path(folder, "build", "Testing", "Temporary")
            there.mkdir(parents=True)
            build = str(there.parents[1])
            run = lambda *words: subprocess.run([SCRIPT, *words], capture_output=True, text=True)  # noqa: E731
            self.assertEqual(run(build).returncode, 2)
            (there / "LastTest.log").write_text(log(a="SKIPPED: a reason of this test's own\n"))
            done = run(build)
            self.assertEqual((done.returncode, done.stdout), (1, f"skipped: 1\n  a: a reason of this test's own ({build}; NOT ALLOWED)\n"))
            (there / "LastTest.log").write_text(log(a=""))
            self.assertEqual(run(build).returncode, 0)
            (there / "LastTest.log").write_text("")
            self.assertEqual(run(build).returncode, 2)

    def test_no_test_skips_in_another_way(self):
        ways = re.compile(r"skipTest|skipIf|skipUnless|SkipTest|unittest\.skip|expectedFailure|exit\(77|return 77|EXIT_SKIPPED|"
                          r"print\(f?\"[^\"]*skipped|printf\(\"[^\"]*skipped|MESSAGE\(\"[^\"]*skipped|doctest::skip|may_fail|should_fail")  # fmt: skip
        found = []
        for path in sorted([*TESTS.rglob("*.py"), *TESTS.rglob("*.cpp"), *TESTS.rglob("*.h")]):
            if path == pathlib.Path(__file__).resolve() or path.name in ("skips.py", "skip.cpp") or "fixtures" in path.parts:
                continue
            found += [f"{path.relative_to(TESTS)}:{number}: {line.strip()}" for number, line in enumerate(path.read_text().splitlines(), 1)
                      if ways.search(line) and "ended.skipped" not in line]  # fmt: skip
        self.assertEqual(found, [], "\n".join(found))


if __name__ == "__main__":
    words = [word for i, word in enumerate(sys.argv[1:], 1) if word != "--traceview" and sys.argv[i - 1] != "--traceview"]
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    unittest.main(argv=[sys.argv[0], *words])
