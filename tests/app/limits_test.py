#!/usr/bin/env python3
"""Too little memory, too few threads: a memory limit is kept for any file, and the program never aborts.

    python3 tests/app/limits_test.py --traceview build/traceview [TEST...]
"""

import argparse
import contextlib
import gzip
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import SANITIZED, case_without_sanitizers, compiler  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TRACEVIEW = ""
OK, FAILED = 0, 1
MB = 1 << 20
LIMIT = 100 * MB
MOST = 110 * MB + 40 * MB  # a tenth more, and 40 MB for the program itself
FENCE = 4000 * MB          # of address space, so that a limit that does not hold leaves the machine alone

# Fails the call of the function FAULT_FN with the number FAULT_N, and with FAULT_ALL all later ones, too.
FAULT = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static const char* which;
static long first, count;
static int begun, all;
static int fails(const char* name) {
  if (!begun) { begun = 1; which = getenv("FAULT_FN"); first = atol(getenv("FAULT_N")); all = getenv("FAULT_ALL") != 0; }
  if (!which || strcmp(which, name)) return 0;
  long n = __sync_add_and_fetch(&count, 1);
  return all ? n >= first : n == first;
}
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_memalign(size_t, size_t);
void* malloc(size_t n) {
  if (fails("malloc")) { errno = ENOMEM; return 0; }
  return __libc_malloc(n);
}
void* calloc(size_t a, size_t n) {
  if (fails("calloc")) { errno = ENOMEM; return 0; }
  return __libc_calloc(a, n);
}
void* aligned_alloc(size_t a, size_t n) {
  if (fails("aligned_alloc")) { errno = ENOMEM; return 0; }
  return __libc_memalign(a, n);
}
void* mmap(void* a, size_t n, int p, int f, int d, off_t o) {
  static void* (*real)(void*, size_t, int, int, int, off_t);
  if (!real) real = dlsym(RTLD_NEXT, "mmap");
  if (fails("mmap")) { errno = ENOMEM; return MAP_FAILED; }
  return real(a, n, p, f, d, o);
}
int pthread_create(pthread_t* t, const pthread_attr_t* a, void* (*run)(void*), void* with) {
  static int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (!real) real = dlsym(RTLD_NEXT, "pthread_create");
  return fails("pthread_create") ? EAGAIN : real(t, a, run, with);
}
"""


class Limits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-limits-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def events(self, name, form, count):
        path = self.path(name)
        with open(path, "w") as file:
            file.write('{"traceEvents":[\n' + ",\n".join(form % (i + 1, 2 * i) for i in range(count)) + "\n]}\n")
        return path

    def small(self):
        return self.events("small.json", '{"ph":"X","name":"n%d","pid":1,"tid":1,"ts":%d,"dur":1}', 20000)

    def run_it(self, *arguments, **environment):
        """Returns exit code, stdout, stderr, and the most memory in use, in bytes."""
        def fence():
            if not SANITIZED:
                resource.setrlimit(resource.RLIMIT_AS, (FENCE, FENCE))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
            child = subprocess.Popen([TRACEVIEW, *arguments], stdout=out, stderr=said, cwd=self.folder, preexec_fn=fence,
                                     env={**os.environ, **environment})
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            said.seek(0)
            return child.returncode, out.read(), said.read().decode(errors="replace"), usage.ru_maxrss << 10

    def refused(self, path, *verb):
        """Checks that the limit is kept: exit 1, one line with a remedy, nothing on stdout, and no more memory than it allows."""
        code, out, said, peak = self.run_it(*(verb or ("info",)), path, "--no-cache", "--memory-limit", "100M", "--threads", "2")
        self.assertEqual((code, out), (FAILED, b""), f"{path}: {said} ({peak // MB} MB)")
        self.assertIn("--memory-limit", said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertLess(peak, MOST, f"{path}: {peak // MB} MB\n{said}")

    # --- a limit of memory ---

    def test_a_limit_holds_for_one_long_record(self):
        case_without_sanitizers(self, "has memory of its own")
        block = gzip.compress(b"n" * (50 * MB), 1)
        for name, before, after in (("args", b'"name":"b","args":{"x":"', b'"}}]}'), ("name", b'"name":"', b'"}]}')):
            path = self.path(name + ".json.gz")
            with open(path, "wb") as file:
                file.write(gzip.compress(b'{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},\n'
                                         b'{"ph":"X","pid":1,"tid":1,"ts":3,"dur":1,' + before))
                for _ in range(10):
                    file.write(block)
                file.write(gzip.compress(after))
            self.refused(path)

    def test_a_limit_holds_for_many_packed_traces(self):
        case_without_sanitizers(self, "has memory of its own")
        path = self.events("ranks.json", '{"ph":"X","name":"n%d","pid":1,"tid":1,"ts":%d,"dur":1}', 60000)
        os.mkdir(self.path("packed"))
        code, _, said, _ = self.run_it("pack", path, "-o", "packed/0.tvx")
        self.assertEqual(code, 0, said)
        for copy in range(1, 60):
            shutil.copy(self.path("packed/0.tvx"), self.path(f"packed/{copy}.tvx"))
        self.refused(self.path("packed"))

    def test_a_limit_holds_for_many_lanes(self):
        case_without_sanitizers(self, "has memory of its own")
        for name, form in (("pids", '{"ph":"X","name":"a","pid":%d,"tid":1,"ts":%d,"dur":1}'),
                           ("tids", '{"ph":"X","name":"a","pid":1,"tid":%d,"ts":%d,"dur":1}'),
                           ("counters", '{"ph":"C","name":"c%d","pid":1,"ts":%d,"args":{"v":1}}'),
                           ("names", '{"ph":"X","name":"' + "a long name " * 12 + '%d","pid":1,"tid":1,"ts":%d,"dur":1}')):
            self.refused(self.events(name + ".json", form, 300000))

    def test_a_limit_holds_for_many_series_of_one_counter(self):
        case_without_sanitizers(self, "has memory of its own")
        path = self.path("series.json")
        with open(path, "w") as file:
            json.dump([{"ph": "C", "name": "c", "pid": 1, "ts": 1, "args": {f"s{i}": i for i in range(400000)}}], file)
        self.refused(path)

    def test_a_limit_leaves_alone_what_fits(self):
        case_without_sanitizers(self, "has memory of its own")
        code, out, said, peak = self.run_it("info", self.small(), "--no-cache", "--memory-limit", "100M", "--json")
        self.assertEqual((code, said), (OK, ""))
        self.assertEqual(json.loads(out)["slices"], 20000)
        self.assertLess(peak, MOST)

    def test_a_search_in_records_holds_a_window_of_the_text(self):
        case_without_sanitizers(self, "has memory of its own")
        path, records = self.path("records.json.gz"), 3200
        event = b',\n{"ph":"X","name":"n","pid":1,"tid":1,"ts":5,"dur":1,"args":{"x":"' + b"n" * 100000 + b'"}}'
        with open(path, "wb") as file:  # 320 MB of text that can only be read from its beginning on
            needle = b'{"ph":"X","name":"%b","pid":1,"tid":1,"ts":%d,"dur":1,"args":{"x":"a needle"}}'
            file.write(gzip.compress(b"[" + needle % (b"first", 1)))
            file.write(gzip.compress(event * 100, 1) * (records // 100))
            file.write(gzip.compress(b"," + needle % (b"last", 9) + b"]"))
        code, out, said, peak = self.run_it("find", "--records", "a needle", path, "--no-cache", "--json", "--threads", "2")
        self.assertEqual((code, said), (OK, ""))
        self.assertEqual([hit["name"] for hit in json.loads(out)["slices"]], ["first", "last"])
        self.assertLess(peak, MOST, f"{peak // MB} MB")

    def test_numbers_of_rows_reserve_nothing(self):
        case_without_sanitizers(self, "reserves more address space than that")
        plain = os.path.join(os.path.dirname(HERE), "fixtures", "nsys_sqlite", "small.sqlite")
        _, expected, _, _ = self.run_it("info", plain, "--no-cache", "--json")
        self.assertGreater(json.loads(expected)["slices"], 0)
        for far in (26, 30, 34):  # one row has a number as high as if there were this power of 2 of rows
            path = self.path("gaps.sqlite")
            shutil.copy(plain, path)
            with contextlib.closing(sqlite3.connect(path)) as database, database:
                names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'CUPTI_ACTIVITY_KIND_%'")
                for (name,) in names.fetchall():
                    database.execute(f"UPDATE {name} SET rowid = rowid + {1 << far} WHERE rowid = (SELECT max(rowid) FROM {name})")
            code, found, said, _ = self.run_it("info", path, "--no-cache", "--json")
            self.assertEqual((code, said), (OK, ""))
            self.assertEqual(json.loads(found)["slices"], json.loads(expected)["slices"])

    # --- memory that is not given ---

    def fault(self):
        case_without_sanitizers(self, "replaces malloc itself")
        source, library = self.path("fault.c"), self.path("fault.so")
        with open(source, "w") as file:
            file.write(FAULT)
        subprocess.run([compiler(), "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"], check=True)
        return library

    def test_memory_that_is_not_given_never_aborts(self):
        library, path = self.fault(), self.small()
        _, whole, _, _ = self.run_it("dump", path, "--no-cache", "--threads", "2")
        self.assertGreaterEqual(whole.count(b"\n"), 20000)
        rest = ("dump", path, "--no-cache", "--threads", "2")
        for function, numbers in (("aligned_alloc", range(1, 40, 3)), ("mmap", range(1, 30, 2)), ("calloc", range(1, 40, 3)),
                                  ("malloc", [*range(1500, 2400, 90), *range(2400, 20000, 977)])):
            for n in numbers:
                for more in ({}, {"FAULT_ALL": "1"}):
                    code, out, said, _ = self.run_it(*rest, LD_PRELOAD=library, FAULT_FN=function, FAULT_N=str(n), **more)
                    what = f"{function} {n} {more}: exit {code}\n{said}"
                    self.assertIn(code, (OK, FAILED), what)
                    if code == OK:
                        self.assertEqual(out, whole, what)
                    else:
                        self.assertTrue(said, what)
                        self.assertTrue(whole.startswith(out), what)

    def test_no_thread_local_variable_has_a_destructor(self):
        """The C library ends the process if it has no memory to register one: core/base/memory/per_thread.h has the remedy."""
        case_without_sanitizers(self, "may have such variables itself")
        with open(TRACEVIEW, "rb") as program:
            self.assertNotIn(b"__cxa_thread_atexit", program.read())

    def test_a_load_without_memory_writes_no_data(self):
        case_without_sanitizers(self, "reserves more address space than that")
        path = self.events("large.json", '{"ph":"X","name":"n%d","pid":1,"tid":1,"ts":%d,"dur":1}', 300000)
        _, whole, _, _ = self.run_it("dump", path, "--no-cache", "--threads", "2")
        for megabytes in (120, 150, 200, 250, 300):  # the C library decides whether it is enough: the output is whole, or empty
            done = subprocess.run(["sh", "-c", f'ulimit -v {megabytes << 10}; exec "$@"', "sh", TRACEVIEW, "dump", path, "--no-cache",
                                   "--threads", "2"], capture_output=True)
            what = f"{megabytes} MB: exit {done.returncode}, {len(done.stdout)} bytes\n{done.stderr.decode()}"
            self.assertTrue(done.returncode == OK and done.stdout == whole or done.returncode == FAILED and not done.stdout, what)
            self.assertEqual(done.returncode == OK, b"--memory-limit" not in done.stderr, what)

    # --- threads ---

    def test_threads_are_bounded(self):
        path = self.small()
        for asked in ("100000", "4294967295"):
            code, _, said, _ = self.run_it("info", path, "--no-cache", "--threads", asked)
            self.assertEqual(code, OK, said)
            self.assertIn(f"--threads {asked} is more than is useful", said)

    def test_threads_that_are_not_given(self):
        library, path = self.fault(), self.small()
        _, whole, _, _ = self.run_it("dump", path, "--no-cache")
        for n in range(1, 8):
            code, out, said, _ = self.run_it("dump", path, "--no-cache", "--threads", "4", LD_PRELOAD=library,
                                             FAULT_FN="pthread_create", FAULT_N=str(n), FAULT_ALL="1")
            if n == 1:
                self.assertEqual((code, out), (FAILED, b""))
                self.assertIn("ulimit -u", said)
            else:
                self.assertEqual((code, out), (OK, whole), f"{n}: {said}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    ended = unittest.main(argv=[sys.argv[0], *rest], exit=False).result
    # 77: all that could be tested passed, but not all could be.
    sys.exit(1 if not ended.wasSuccessful() else 77 if ended.skipped else 0)
