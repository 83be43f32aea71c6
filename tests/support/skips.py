"""How a test says that it cannot run: one line, `SKIPPED [case]: reason`, which tests/skips finds in ctest's log and compares with
tests/allowed_skips.txt. No test skips in another way (tests/skips_test.py).
"""

import os
import pathlib
import shutil
import sys
import unittest

SANITIZED = bool(os.environ.get("TV_SANITIZED"))
SHARED = pathlib.Path(os.environ.get("TV_SHARED_DIR") or os.environ.get("TV_SHARED") or pathlib.Path(__file__).resolve().parents[3] / "shared")


def skip_part(part, reason):
    """Skips a part of a script; the rest goes on."""
    print(f"SKIPPED [{part}]: {reason}", flush=True)


def skip_script(reason):
    """Skips all of the script; ctest takes exit status 77 for skipped."""
    print(f"SKIPPED: {reason}", flush=True)
    sys.exit(77)


def skip_case(test, reason):
    """Skips a test case, or a class of them, of unittest."""
    skip_part(test.id().removeprefix("__main__.") if isinstance(test, unittest.TestCase) else test.__name__, reason)
    raise unittest.SkipTest(reason)


def missing(*programs):
    """The programs that are not installed. Daemons may lie in folders that only root has in PATH."""
    return [name for name in programs if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]


def script_needs(*programs):
    if names := missing(*programs):
        skip_script("not installed: " + ", ".join(names))


def case_needs(test, *programs):
    if names := missing(*programs):
        skip_case(test, "not installed: " + ", ".join(names))


def case_needs_root(test):
    if os.geteuid() != 0:
        skip_case(test, "needs root")


def case_without_sanitizers(test, why):
    if SANITIZED:
        skip_case(test, "a sanitizer " + why)


def compiler():
    """The path of a C compiler; wherever tests/run has built, there is one."""
    return next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))))


def shared_sample(name):
    """The path of a large trace outside the repository, SHARED/data/NAME. Where it is missing, reports a skip and returns None."""
    return below_shared("data", name)


def below_shared(*parts):
    path = SHARED.joinpath(*parts)
    if path.exists():
        return path
    where = f"there is no {SHARED}/data" if not (SHARED / "data").is_dir() else f"{SHARED} has no {'/'.join(parts)}"
    skip_part("/".join(parts[1:]) or "all", f"no sample data: {where}")
    return None
