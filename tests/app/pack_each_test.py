#!/usr/bin/env python3
"""A run that is packed item by item equals the run when its items are opened together, however it was packed: by one process, by
xargs, over ssh, with Ray (a stand-in), or with Slurm, one node of which dies.

    python3 tests/app/pack_each_test.py --traceview build/traceview

The test of ssh needs sshd; that of Slurm needs slurm-wlm, munge and root. Without them these tests are skipped. All that they start
runs in its own folder, on its own ports, and is gone afterwards.
"""

import argparse
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from skips import case_needs, case_needs_root  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECIPES = os.path.join(ROOT, "assets", "recipes")
TRACEVIEW = ""
RANKS = 6


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def program(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


class PackEach(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="traceview each ")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.run_folder = os.path.join(self.folder, "run's 42")
        self.packed = os.path.join(self.folder, "packed")
        self.environment = os.environ | {
            "TRACEVIEW_CACHE_DIR": os.path.join(self.folder, "cache"),
            "HOME": self.folder,
            "TRACEVIEW": TRACEVIEW,
        }
        for rank in range(RANKS):
            self.write_rank(rank, 400)
        for step in (1, 2):
            for worker in (0, 1):
                lines = [
                    {"timestamp": f"2026-01-01T00:{step:02}:{10 + 2 * i}.5", "event": "turn_engine_call", "duration_sec": 1.5,
                     "workid": worker, "step": step, "extra": {"request_id": f"r{step}{worker}{i}"}}
                    for i in range(5)
                ]  # fmt: skip
                self.write(f"rollout/step_{step}/worker_{worker}.jsonl", "\n".join(json.dumps(line) for line in lines))

    def write(self, path, text):
        path = os.path.join(self.run_folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def write_rank(self, rank, events):
        trace = [
            {"ph": "X", "name": f"op{i % 9}", "cat": "cpu_op", "pid": rank, "tid": 1, "ts": 1000 * i + rank, "dur": 700}
            for i in range(events)
        ]
        self.write(f"traces/rank{rank}.json", json.dumps({"distributedInfo": {"rank": rank}, "traceEvents": trace}))

    def call(self, *words, expect=0, **more):
        result = subprocess.run(words, capture_output=True, text=True, timeout=200, **({"env": self.environment} | more))
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def traceview(self, *words, expect=0):
        return self.call(TRACEVIEW, *words, expect=expect)

    def told(self, path):
        return sorted(self.traceview("dump", path, "--no-cache").stdout.splitlines()), self.traceview("stats", path).stdout

    def check_packed(self):
        self.assertEqual(self.told(self.packed), self.told(self.run_folder))

    def items(self):
        return self.traceview("pack", "--list", self.run_folder).stdout.split()

    def test_one_after_the_other(self):
        self.assertEqual(self.items()[-RANKS:], [f"traces_rank_{rank}" for rank in range(RANKS)])
        self.traceview("pack", "--each", self.run_folder, "-o", self.packed)
        self.check_packed()
        # The second time, all of it is there. After one file has changed, only its item is packed again.
        again = json.loads(self.traceview("pack", "--each", self.run_folder, "-o", self.packed, "--json").stdout)
        self.assertEqual([item.get("there_already") for item in again], [True] * len(self.items()))
        self.write_rank(3, 500)
        third = json.loads(self.traceview("pack", "--each", self.run_folder, "-o", self.packed, "--json").stdout)
        self.assertEqual([os.path.basename(i["file"]) for i in third if "there_already" not in i], ["traces_rank_3.tvx"])
        self.check_packed()
        # A cut file, as an interrupted copy leaves one, is packed again.
        with open(os.path.join(self.packed, "traces_rank_1.tvx"), "r+b") as out:
            out.truncate(3000)
        self.traceview("pack", "--each", self.run_folder, "-o", self.packed)
        self.check_packed()

    def test_without_records(self):
        self.traceview("pack", "--each", self.run_folder, "-o", self.packed, "--no-records", "--item", "traces_rank_2")
        self.assertEqual(os.listdir(self.packed), ["traces_rank_2.tvx"])
        small = os.path.getsize(os.path.join(self.packed, "traces_rank_2.tvx"))
        said = self.traceview("find", "op3", self.packed, "--records", expect=1).stderr
        self.assertIn("the trace was packed without records (pack the files again, without --no-records)", said)
        self.traceview("pack", "--each", self.run_folder, "-o", self.packed, "--item", "traces_rank_2")
        self.assertGreater(os.path.getsize(os.path.join(self.packed, "traces_rank_2.tvx")), small)
        self.assertIn("op3", self.traceview("find", "op3", self.packed, "--records").stdout)

    def test_what_cannot_be_done(self):
        self.assertIn("no item nothing", self.traceview("pack", "--each", self.run_folder, "-o", self.packed, "--item", "nothing", expect=2).stderr)
        os.makedirs(os.path.join(self.folder, "empty"))
        self.traceview("pack", "--list", os.path.join(self.folder, "empty"), expect=3)
        self.write("traces/rank5.json", "{\"traceEvents\": []}")
        self.traceview("pack", "--each", self.run_folder, "-o", self.packed, expect=3)
        self.assertEqual(len(os.listdir(self.packed)), len(self.items()) - 1)  # all others are there

    def test_xargs(self):
        run, packed, traceview = (shlex.quote(path) for path in (self.run_folder, self.packed, TRACEVIEW))
        # The command of the manual, run twice at once.
        line = f"{traceview} pack --list {run} | xargs -P 8 -I{{}} {traceview} pack --each {run} --item {{}} -o {packed} --threads 1"
        other = subprocess.Popen(["sh", "-c", line], stdout=subprocess.DEVNULL, env=self.environment)
        self.call("sh", "-c", line)
        self.assertEqual(other.wait(timeout=200), 0)
        self.check_packed()

    def test_over_ssh(self):
        case_needs(self, "sshd", "ssh", "ssh-keygen")
        keys = os.path.join(self.folder, "keys")
        os.makedirs(keys, mode=0o700)
        for name in ("host", "user"):
            self.call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(keys, name))
        shutil.copy(os.path.join(keys, "user.pub"), os.path.join(keys, "authorized"))
        port = free_port()
        settings = os.path.join(keys, "sshd_config")
        with open(settings, "w", encoding="utf-8") as out:
            out.write(f"Port {port}\nListenAddress 127.0.0.1\nHostKey \"{keys}/host\"\nAuthorizedKeysFile \"{keys}/authorized\"\n"
                      "StrictModes no\nPidFile none\nPermitRootLogin yes\nUsePAM no\nMaxStartups 100\n")
        os.makedirs("/run/sshd", exist_ok=True) if os.geteuid() == 0 else None
        server = subprocess.Popen([program("sshd"), "-D", "-e", "-f", settings], stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        link = os.path.join(tempfile.mkdtemp(), "k")  # a path without blanks, for the words of SSH
        self.addCleanup(shutil.rmtree, os.path.dirname(link), ignore_errors=True)
        os.symlink(keys, link)
        # A question for a password or a host key would wait for ever.
        ssh = (f"ssh -p {port} -i {link}/user -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "
               "-o LogLevel=ERROR -F none")
        deadline = time.monotonic() + 20
        while subprocess.run([*ssh.split(), "127.0.0.1", "true"], capture_output=True, check=False).returncode != 0:
            self.assertLess(time.monotonic(), deadline, "sshd does not answer")
        self.call(os.path.join(RECIPES, "pack_over_ssh.sh"), self.run_folder, self.packed, "127.0.0.1", "localhost",
                  env=self.environment | {"SSH": ssh, "JOBS_PER_HOST": "2"})
        self.check_packed()

    def odd_folders(self):
        """Folders whose names begin like an option, hold what sbatch, ssh and shells interpret, and end in white space."""
        run, packed = "-r %j $(x) 'y' \\ \"run\n", "-p %A_%a\nb "
        os.rename(self.run_folder, os.path.join(self.folder, run))
        self.run_folder, self.packed = os.path.join(self.folder, run), os.path.join(self.folder, packed)
        return run, packed

    def stand_in(self, name, text):
        path = os.path.join(self.folder, "bin", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, 0o755)
        return os.path.dirname(path)

    def slurm_stand_in(self, most):
        """A stand-in for Slurm that refuses what Slurm refuses, and runs the tasks of an array one after another."""
        self.stand_in("scontrol", f"#!/bin/sh\necho 'MaxArraySize            = {most}'\n")
        return self.stand_in("sbatch", f"""#!/usr/bin/env python3
import os, re, subprocess, sys
array = next(word for word in sys.argv if word.startswith("--array="))
first, last = map(int, re.fullmatch(r"--array=(\\d+)-(\\d+)", array).groups())
if last >= {most}:
    sys.exit("sbatch: error: Batch job submission failed: Invalid job array specification")
output = [word.split("=", 1)[1] for word in sys.argv if word.startswith("--output=")]
assert not any("%j" in word for word in output), output
task = sys.stdin.read()
codes = [subprocess.run(["sh"], input=task, text=True, env=os.environ | {{"SLURM_ARRAY_TASK_ID": str(i)}}).returncode
         for i in range(first, last + 1)]
sys.exit(max(codes))
""")

    def test_more_items_than_an_array_has_tasks(self):
        count = len(self.items())
        for most in (2, 4, count, count + 1, 1001):
            with self.subTest(most=most):
                shutil.rmtree(self.packed, ignore_errors=True)
                path = self.slurm_stand_in(most) + ":" + os.environ["PATH"]
                self.call(os.path.join(RECIPES, "pack_slurm.sh"), self.run_folder, self.packed, env=self.environment | {"PATH": path})
                self.check_packed()
        # If an item cannot be packed, the job fails, but the other items of its task are packed.
        shutil.rmtree(self.packed)
        self.write("traces/rank0.json", '{"traceEvents": []}')
        path = self.slurm_stand_in(2) + ":" + os.environ["PATH"]
        self.call(os.path.join(RECIPES, "pack_slurm.sh"), self.run_folder, self.packed, expect=3, env=self.environment | {"PATH": path})
        self.assertEqual(len([name for name in os.listdir(self.packed) if name.endswith(".tvx")]), count - 1)

    def test_odd_paths(self):
        expected = self.told(self.run_folder)
        run, packed = self.odd_folders()
        slurm = self.environment | {"PATH": self.slurm_stand_in(4) + ":" + os.environ["PATH"]}
        self.stand_in("ssh_to", "#!/bin/sh\nhost=$1\nshift\n[ \"$host\" = gone ] && exit 255\nexec sh -c \"$*\"\n")
        ssh = self.environment | {"SSH": "ssh_to", "PATH": slurm["PATH"]}
        for recipe, hosts, environment in (("pack_slurm.sh", [], slurm), ("pack_over_ssh.sh", ["a", "b"], ssh)):
            with self.subTest(recipe=recipe):
                shutil.rmtree(self.packed, ignore_errors=True)
                self.call(os.path.join(RECIPES, recipe), run, packed, *hosts, cwd=self.folder, env=environment)
                self.assertEqual(self.told(self.packed), expected)
        # If one host is gone, the others still do their part.
        shutil.rmtree(self.packed)
        self.call(os.path.join(RECIPES, "pack_over_ssh.sh"), run, packed, "a", "gone", cwd=self.folder, expect=123, env=ssh)
        done = [name for name in os.listdir(self.packed) if name.endswith(".tvx")]
        self.assertEqual(len(done), sum(1 for n in range(1, len(self.items()) + 1) if n % 2 == 0))

    def test_ray(self):
        """With a stand-in for Ray, which runs a task when its result is asked for."""
        self.stand_in("ray.py", """
class Task:
    def __init__(self, function): self.function = function
    def remote(self, *words): return lambda: self.function(*words)
def remote(**_): return Task
def init(**_): pass
def get(task): return task()
""")
        environment = self.environment | {"PYTHONPATH": os.path.join(self.folder, "bin"), "PYTHONDONTWRITEBYTECODE": "1"}
        recipe = os.path.join(RECIPES, "pack_ray.py")
        self.call(sys.executable, recipe, self.run_folder, self.packed, env=environment)
        self.check_packed()
        # If the first item cannot be packed, the others still are.
        shutil.rmtree(self.packed)
        self.write("traces/rank0.json", '{"traceEvents": []}')
        said = self.call(sys.executable, recipe, self.run_folder, self.packed, expect=1, env=environment).stderr
        self.assertIn("traces_rank_0 is not packed", said)
        self.assertEqual(len([name for name in os.listdir(self.packed) if name.endswith(".tvx")]), len(self.items()) - 1)

    def test_slurm(self):
        case_needs_root(self)
        case_needs(self, "slurmctld", "slurmd", "sbatch", "munged")
        cluster = Cluster(self)
        # The first task of the first item waits until its node is gone.
        begun = os.path.join(cluster.folder, "begun")
        first = self.items()[0]
        waiting = os.path.join(cluster.folder, "traceview")
        with open(waiting, "w", encoding="utf-8") as out:
            out.write(f"""#!/bin/sh
case "$*" in *"--item {first} "*) if [ ! -e {begun} ]; then touch {begun}; exec sleep 1000; fi ;; esac
exec {shlex.quote(TRACEVIEW)} "$@"
""")
        os.chmod(waiting, 0o755)
        job = subprocess.Popen(
            [os.path.join(RECIPES, "pack_slurm.sh"), self.run_folder, self.packed],
            env=cluster.environment | {"TRACEVIEW": waiting}, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        self.addCleanup(job.kill)
        cluster.wait_until(lambda: os.path.exists(begun), "the first task does not begin")
        cluster.lose_node()
        cluster.start_node()
        cluster.queue_at_once()
        self.assertEqual(job.wait(timeout=200), 0)
        self.check_packed()
        self.assertEqual(len([name for name in os.listdir(self.packed) if name.endswith(".tvx")]), len(self.items()))


class Cluster:
    """One node, this machine, with a controller and munge of its own."""

    def __init__(self, test):
        self.test = test
        self.daemons = []
        self.folder = tempfile.mkdtemp(prefix="traceview-slurm-")
        test.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        os.chmod(self.folder, 0o755)
        self.name = socket.gethostname().split(".")[0]
        settings = os.path.join(self.folder, "slurm.conf")
        self.environment = test.environment | {"SLURM_CONF": settings, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        test.addCleanup(self.kill_tasks)
        for name in ("state", "spool"):
            os.makedirs(os.path.join(self.folder, name))
        with open(settings, "w", encoding="utf-8") as out:
            out.write(f"""ClusterName=traceview
SlurmctldHost={self.name}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.socket
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
MpiDefault=none
ReturnToService=2
NodeName={self.name} NodeAddr=127.0.0.1 CPUs=2 RealMemory=100 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
""")
        key = os.path.join(self.folder, "munge.key")
        with open(key, "wb") as out:
            out.write(os.urandom(1024))
        os.chmod(key, 0o400)
        self.daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                    f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/munge.log",
                    f"--seed-file={self.folder}/munge.seed")
        self.wait_until(lambda: os.path.exists(os.path.join(self.folder, "munge.socket")), "munge does not start")
        self.daemon("slurmctld", "-D", "-L", os.path.join(self.folder, "slurmctld.log"))
        self.start_node()

    def daemon(self, name, *words):
        daemon = subprocess.Popen([program(name), *words], env=self.environment, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
        self.test.addCleanup(daemon.wait)
        self.test.addCleanup(daemon.kill)
        self.daemons.append(daemon)
        return daemon

    def ask(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False).stdout

    def wait_until(self, holds, otherwise):
        deadline = time.monotonic() + 100
        while not holds():
            self.test.assertLess(time.monotonic(), deadline, f"{otherwise}; logs are in {self.folder}")
            time.sleep(0.1)

    def start_node(self):
        self.node = self.daemon("slurmd", "-D", "-L", os.path.join(self.folder, "slurmd.log"))
        self.ask("scontrol", "update", f"nodename={self.name}", "state=resume")
        self.wait_until(lambda: self.ask("sinfo", "-h", "-o", "%t").strip() in ("idle", "mix", "alloc"), "the node does not come up")

    def lose_node(self):
        """As when its power fails: kills the daemon and all that it started."""
        self.node.kill()
        self.node.wait()
        self.kill_tasks()
        self.ask("scontrol", "update", f"nodename={self.name}", "state=down", "reason=lost")

    def kill_tasks(self):
        """Kills slurmstepd, which watches a task, before the task. Otherwise it would tell the controller that the task was
        killed; the task would count as failed and would not be queued again."""
        while self.kill_where(lambda exe, environment: "slurmstepd" in exe):
            time.sleep(0.05)
        self.kill_where(lambda exe, environment: b"SLURM_JOB_ID=" in environment)

    def kill_where(self, holds):
        killed = 0
        for process in set(filter(str.isdigit, os.listdir("/proc"))) - {str(daemon.pid) for daemon in self.daemons}:
            try:
                with open(f"/proc/{process}/environ", "rb") as file:
                    environment = file.read()
                if self.folder.encode() in environment and holds(os.readlink(f"/proc/{process}/exe"), environment):
                    os.kill(int(process), signal.SIGKILL)
                    killed += 1
            except OSError:
                pass  # it is gone
        return killed

    def queue_at_once(self):
        """Ends the two minutes for which Slurm lets a task wait that lost its node."""
        for task in self.ask("squeue", "-h", "-t", "pending", "-o", "%A").split():
            self.ask("scontrol", "update", f"jobid={task}", "starttime=now")


def main():
    global TRACEVIEW
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    ended = unittest.main(argv=[sys.argv[0], *rest], verbosity=2, exit=False).result
    # 77: all that could be tested passed, but not all could be.
    sys.exit(1 if not ended.wasSuccessful() else 77 if ended.skipped else 0)


if __name__ == "__main__":
    main()
