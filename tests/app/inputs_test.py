#!/usr/bin/env python3
"""Archives, pipes, folders and files that cannot be read, and the messages about them.

    python3 tests/app/inputs_test.py --traceview build/traceview [TEST...]

A library that is loaded before the program makes the faults of the machine: a read fails, or the file is cut during one.
"""

import argparse
import gzip
import io
import json
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import case_needs, case_needs_root, case_without_sanitizers, compiler  # noqa: E402

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures")
TRACEVIEW = ""
OK, FAILED, NOT_RECOGNISED, LOSSES = 0, 1, 3, 4

# Each pread() of the file FAULT_PATH that reaches byte FAULT_FROM fails (FAULT_DO=fail), or the first one cuts the file there
# (FAULT_DO=cut).
FAULTS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
static long calls;
static int fault(int descriptor, off_t offset) {
  const char* path = getenv("FAULT_PATH");
  struct stat a, b;
  if (!path || stat(path, &a) || fstat(descriptor, &b) || a.st_ino != b.st_ino) return 0;
  if (offset < atol(getenv("FAULT_FROM"))) return 0;
  if (!strcmp(getenv("FAULT_DO"), "cut")) {
    if (__sync_add_and_fetch(&calls, 1) == 1 && truncate(path, atol(getenv("FAULT_FROM")))) abort();
    return 0;
  }
  errno = EIO;
  return 1;
}
ssize_t pread(int fd, void* to, size_t n, off_t at) {
  static ssize_t (*real)(int, void*, size_t, off_t);
  if (!real) real = dlsym(RTLD_NEXT, "pread");
  return fault(fd, at + (off_t)n) ? -1 : real(fd, to, n, at);
}
ssize_t pread64(int fd, void* to, size_t n, off_t at) { return pread(fd, to, n, at); }
"""


def trace(name, ts=1, count=1):
    events = [{"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": ts + 2 * i, "dur": 1, "args": {"i": i}} for i in range(count)]
    return json.dumps({"traceEvents": events}).encode()


def tar_of(files, mode="w"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as tar:
        for name, data in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zip_of(files, how=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


class Inputs(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview-inputs-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        return self.path(name)

    def run_it(self, *arguments, expect=OK, program=(), **more):
        command = [*(program or (TRACEVIEW,)), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=self.folder, **more)
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout}\n{done.stderr}")
        return done

    def info(self, *arguments, expect=OK, **more):
        return json.loads(self.run_it("info", "--json", *arguments, expect=expect, **more).stdout)

    def sources(self, info):
        return {source["path"]: source["slices"] for source in info["sources"]}

    FILES = [("readme.txt", b"hello"), ("r/rank0.json", trace("a", count=3)), ("r/rank1.json.gz", gzip.compress(trace("b"))),
             (".hidden.json", trace("h"))]  # fmt: skip

    # --- archives ---

    def check_archive(self, name, data):
        self.write(name, data)
        done = self.run_it("info", "--json", name)
        info = json.loads(done.stdout)
        self.assertEqual(info["slices"], 4)
        self.assertEqual(
            {path: n for path, n in self.sources(info).items() if n}, {f"{name}/r/rank0.json": 3, f"{name}/r/rank1.json.gz": 1}
        )
        self.assertIn(f"{name}/readme.txt: text of a format that is not known", done.stderr)
        self.assertNotIn("hidden", done.stderr)
        self.assertEqual(self.info(f"{name}/r/rank0.json")["slices"], 3)  # one of them
        found = self.run_it("find", "--records", '"i": 2', name).stdout  # reads the texts in the archive again
        self.assertIn("1 hit", found)
        os.mkdir(self.path("in"))
        os.rename(self.path(name), self.path("in/" + name))
        self.assertEqual(self.info("in")["slices"], 4)

    def test_a_zip_is_a_folder(self):
        self.check_archive("a.zip", zip_of(self.FILES))

    def test_a_zip_that_does_not_compress(self):
        self.check_archive("a.zip", zip_of(self.FILES, zipfile.ZIP_STORED))

    def test_a_zip_behind_a_program_that_unpacks_it_keeps_its_offsets(self):
        self.write("a.zip", zip_of([("x.json", trace("x"))]) + zip_of(self.FILES))
        self.assertEqual(self.info("a.zip")["slices"], 4)

    def test_a_tar_is_a_folder(self):
        self.check_archive("a.tar", tar_of(self.FILES))

    def test_a_compressed_tar_is_a_folder(self):
        self.check_archive("a.tar.gz", tar_of(self.FILES, "w:gz"))

    def test_a_tgz_is_a_folder(self):
        self.check_archive("a.tgz", tar_of(self.FILES, "w:gz"))

    def test_a_tar_in_zstd(self):
        case_needs(self, "zstd")
        data = subprocess.run(["zstd", "-c"], input=tar_of(self.FILES), capture_output=True, check=True).stdout
        self.check_archive("a.tar.zst", data)

    def test_many_files_in_archives(self):
        files = [(f"d/{i}.json", trace(f"n{i}", i)) for i in range(3000)]
        for name, data in (("a.zip", zip_of(files)), ("a.tar.gz", tar_of(files, "w:gz"))):
            self.write(name, data)
            self.assertEqual(self.info(name)["slices"], 3000)

    def test_a_zip_of_one_file_is_that_file(self):
        self.write("a.zip", zip_of([("x/b.json", trace("b"))]))
        self.assertEqual(self.sources(self.info("a.zip")), {"a.zip": 1})
        self.write("b.zip", zip_of([("b.json.gz", gzip.compress(trace("b")))]))
        self.assertEqual(self.sources(self.info("b.zip")), {"b.zip": 1})

    def test_an_encrypted_file_is_named(self):
        data = bytearray(zip_of([("a.json", trace("a")), ("b.json", trace("b"))], zipfile.ZIP_STORED))
        data[6] |= 1  # in the first file's header, and in its entry of the directory
        data[data.index(b"PK\x01\x02") + 8] |= 1
        self.write("a.zip", bytes(data))
        done = self.run_it("info", "a.zip")
        self.assertIn("a.zip/a.json: it is encrypted (unpack", done.stderr)
        self.assertEqual(self.info("a.zip")["slices"], 1)

    def test_names_are_only_names(self):
        self.write("a.tar", tar_of([("../up.json", trace("a")), ("/root.json", trace("b")), ("./c.json", trace("c"))]))
        self.assertEqual(self.sources(self.info("a.tar")), {"a.tar/../up.json": 1, "a.tar//root.json": 1, "a.tar/c.json": 1})
        self.assertEqual(os.listdir(self.folder), ["a.tar"])

    def test_a_cut_archive_shows_what_is_there_and_says_so(self):
        data = tar_of([("a.json", trace("a")), ("b.json", trace("b", count=1000))])
        self.write("a.tar", data[: len(data) // 2])
        done = self.run_it("info", "a.tar")
        self.assertIn("the tar archive is damaged", done.stderr)
        self.assertEqual(self.sources(self.info("a.tar"))["a.tar/a.json"], 1)

    def test_a_damaged_header_in_an_archive_is_a_loss(self):
        files = [("a.json", trace("a")), ("b.json", trace("b")), ("c.json", trace("c"))]
        header = 1024  # of b.json
        for what, damage in (("ones", b"\xff" * 512), ("zeros", bytes(512))):
            with self.subTest(what):
                data = bytearray(tar_of(files))
                self.assertTrue(data[header:].startswith(b"b.json\0"))
                data[header : header + 512] = damage
                self.write(f"{what}.tar", bytes(data))
                done = self.run_it("info", f"{what}.tar", "--strict", expect=LOSSES)
                self.assertIn("the tar archive is damaged", done.stderr)
                shown = self.info(f"{what}.tar")
                self.assertEqual(self.sources(shown), {f"{what}.tar": 0, f"{what}.tar/a.json": 1, f"{what}.tar/c.json": 1})
                self.assertEqual(shown["lost"], 1)

    def test_a_header_behind_which_nothing_can_be_read_is_a_loss(self):
        """libarchive gives up if the header that an extended one describes is damaged."""
        name = "long" * 40 + ".json"
        data = bytearray(tar_of([("a.json", trace("a")), (name, trace("b")), ("c.json", trace("c"))]))
        data[data.index(b"c.json\0") - 1024] ^= 1  # the first letter of the name
        self.write("a.tar", bytes(data))
        done = self.run_it("info", "a.tar", "--strict", expect=LOSSES)
        self.assertIn("the tar archive is damaged", done.stderr)
        self.assertEqual(self.sources(self.info("a.tar")), {"a.tar": 0, "a.tar/a.json": 1})

    def test_an_archive_in_an_archive_is_named(self):
        self.write("a.tar", tar_of([("a.json", trace("a")), ("in.zip", zip_of(self.FILES))]))
        self.assertIn("a.tar/in.zip: it is an archive in an archive or in a pipe (unpack it", self.run_it("info", "a.tar").stderr)

    def test_files_of_all_formats_but_nsight_systems_can_be_wrapped(self):
        """As the start page says (core/read/format_examples.cpp)."""
        files = ("chrome_json/array_form.json", "perfetto/threads.pftrace", "verl_rollout/agent_loop/step_4/worker_0.jsonl",
                 "verl_console/plain.log", "verl_file_logger/metrics.jsonl", "megatron_log/gap.log",
                 "paddle_log/job_types/workerlog.0", "nsys_sqlite/small.sqlite")  # fmt: skip
        for file in files:
            name = os.path.basename(file)
            with open(os.path.join(FIXTURES, file), "rb") as original:
                data = original.read()
            self.write(name, data)
            expected = self.info(name)["sources"][0]
            wraps = {".gz": gzip.compress(data), ".zip": zip_of([(name, data)]), ".tar": tar_of([(name, data)])}
            if shutil.which("zstd"):
                wraps[".zst"] = subprocess.run(["zstd", "-c"], input=data, capture_output=True, check=True).stdout
            for ending, wrapped in wraps.items():
                with self.subTest(file + ending):
                    self.write(name + ending, wrapped)
                    if file.startswith("nsys"):
                        self.run_it("info", name + ending, expect=NOT_RECOGNISED)
                        continue
                    found = self.info(name + ending)["sources"][0]
                    for key in ("format", "state", "slices", "instants", "counters"):
                        self.assertEqual(found[key], expected[key])

    # --- pipes ---

    def test_standard_input(self):
        for name in ("-", "/dev/stdin"):
            command = f"cat | {TRACEVIEW} info --json {name}"
            done = subprocess.run(["sh", "-c", command], input=gzip.compress(trace("a", count=3)), capture_output=True, timeout=300)
            self.assertEqual(json.loads(done.stdout)["slices"], 3, done.stderr)
        with open(self.write("a.json", trace("a")), "rb") as file:
            self.assertEqual(self.info("-", stdin=file)["slices"], 1)

    def test_a_named_pipe(self):
        os.mkfifo(self.path("pipe"))
        self.write("a.json.gz", gzip.compress(trace("a", count=3)))
        with subprocess.Popen(["sh", "-c", "zcat a.json.gz > pipe"], cwd=self.folder):
            self.assertEqual(self.info("pipe")["slices"], 3)

    def test_process_substitution(self):
        case_needs(self, "bash")
        self.write("a.json", trace("a", count=3))
        done = subprocess.run(["bash", "-c", f"{TRACEVIEW} info --json <(cat a.json) <(cat a.json)"], cwd=self.folder,
                              capture_output=True, timeout=300)  # fmt: skip
        self.assertEqual(json.loads(done.stdout)["slices"], 6, done.stderr)

    def test_a_named_pipe_in_a_folder_is_named(self):
        self.write("run/a.json", trace("a"))
        os.mkfifo(self.path("run/pipe"))
        self.assertIn("run/pipe: it is a named pipe, which is read only if its own path is given", self.run_it("info", "run").stderr)

    def test_no_room_for_what_comes(self):
        done = self.run_it("info", "-", expect=FAILED, input="x", env=os.environ | {"TMPDIR": "/proc/self"})
        self.assertIn("TMPDIR", done.stderr)

    # --- what cannot be read ---

    def as_nobody(self):
        case_needs_root(self)
        case_needs(self, "setpriv")
        os.chmod(self.folder, 0o755)
        # A copy, because other users may have no access to the checkout.
        return ("setpriv", "--reuid", "65534", "--clear-groups", shutil.copy(TRACEVIEW, self.path("program")))

    def test_a_folder_that_may_not_be_read(self):
        program = self.as_nobody()
        self.write("un/good/a.json", trace("a"))
        self.write("un/bad/b.json", trace("b"))
        os.chmod(self.path("un/bad"), 0)
        self.addCleanup(os.chmod, self.path("un/bad"), 0o700)
        says = "un/bad: cannot list the folder: Permission denied"
        self.assertIn(says, self.run_it("info", "un", program=program).stderr)
        self.assertIn(says, self.run_it("info", "un", "--strict", program=program, expect=LOSSES).stderr)
        self.assertIn(says, self.run_it("info", "un/bad", program=program, expect=FAILED).stderr)
        self.assertIn("permission denied", self.run_it("info", "un/bad/b.json", program=program, expect=FAILED).stderr)

    def test_a_file_that_may_not_be_read_is_1(self):
        program = self.as_nobody()
        os.chmod(self.write("a.json", trace("a")), 0)
        done = self.run_it("info", "a.json", program=program, expect=FAILED)
        self.assertIn("a.json: cannot open: Permission denied", done.stderr)

    def test_a_loop_of_links(self):
        os.symlink("b", self.path("a"))
        os.symlink("a", self.path("b"))
        self.assertIn("a: it is in a loop of symbolic links", self.run_it("info", "a", expect=NOT_RECOGNISED).stderr)

    def test_a_gzip_file_of_a_few_bytes_is_cut_not_empty(self):
        data = gzip.compress(trace("a"))
        for size in (5, 10):
            self.write("a.json.gz", data[:size])
            done = self.run_it("info", "a.json.gz", expect=NOT_RECOGNISED)
            self.assertIn("the gzip data ends early", done.stderr)

    def test_a_file_without_events_is_reported_and_alone_exits_with_3(self):
        for text in ('{"traceEvents":[]}', '{"traceEvents":"x"}'):
            self.write("a.json", text)
            for verb in ("info", "stats", "dump"):
                self.assertIn("There are no events in the file", self.run_it(verb, "a.json", expect=NOT_RECOGNISED).stderr)
        self.write("b.json", trace("b"))
        self.assertIn("a.json: 1 x no_events", self.run_it("info", "a.json", "b.json").stderr)
        self.write("a.json", trace("a"))
        self.assertNotIn("no events", self.run_it("info", "a.json").stderr)

    def faults(self, name, where, what):
        case_without_sanitizers(self, "must be loaded first")
        library = self.path("faults.so")
        self.write("faults.c", FAULTS)
        subprocess.run([compiler(), "-shared", "-fPIC", "-o", library, self.path("faults.c"), "-ldl"], check=True, capture_output=True)
        return os.environ | {"LD_PRELOAD": library, "FAULT_PATH": self.path(name), "FAULT_FROM": str(where), "FAULT_DO": what,
                             "XDG_CACHE_HOME": self.path("cache")}  # fmt: skip

    def test_few_files_may_be_open(self):
        for n in range(40):
            self.write(f"many/{n}.json", trace(f"t{n}"))
        done = subprocess.run([TRACEVIEW, "info", "--json", "--no-cache", self.path("many")], capture_output=True, text=True, timeout=120,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(json.loads(done.stdout)["slices"], 40)

    def test_a_bad_disk_is_1(self):
        self.write("a.json", trace("a"))
        done = self.run_it("info", "a.json", expect=FAILED, env=self.faults("a.json", 0, "fail"))
        self.assertIn("a.json: cannot read: Input/output error", done.stderr)
        self.assertNotIn("a.json: a.json", done.stderr)

    def test_a_bad_place_within_gzip_data_shows_what_is_before(self):
        data = gzip.compress(self.long_trace())
        self.assertGreater(len(data), 1_000_000)
        self.write("a.json.gz", data)
        done = self.run_it("info", "--json", "a.json.gz", env=self.faults("a.json.gz", 600_000, "fail"))
        self.assertIn("read_error", done.stderr)
        self.assertGreater(json.loads(done.stdout)["slices"], 1000)
        self.run_it("info", "--strict", "a.json.gz", expect=LOSSES, env=self.faults("a.json.gz", 600_000, "fail"))

    def test_gzip_data_that_is_cut_near_its_begin_is_reported_as_cut(self):
        data = gzip.compress(json.dumps([{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]).encode(), mtime=0)
        for length in (10, 12, 16):  # which hold no letter of the text, or one
            self.write("a.json.gz", data[:length])
            done = self.run_it("info", "a.json.gz", expect=NOT_RECOGNISED)
            self.assertIn("the gzip data ends early", done.stderr)

    def long_trace(self):
        events = [{"ph": "X", "name": os.urandom(40).hex(), "pid": 1, "tid": 1, "ts": 2 * i, "dur": 1} for i in range(30_000)]
        return json.dumps({"traceEvents": events}).encode()

    def test_a_file_that_is_cut_while_it_is_read(self):
        data = self.long_trace()
        self.write("a.json", data)
        env = self.faults("a.json", len(data) // 2, "cut")
        done = self.run_it("info", "--strict", "a.json", expect=LOSSES, env=env)
        self.assertIn("changed_meanwhile", done.stderr)
        self.assertIn("The file changed while it was read", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])
