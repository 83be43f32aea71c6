#!/usr/bin/env python3
"""pack_ray.py RUN PACKED   Packs a run item by item, as tasks of the running Ray cluster, on nodes that share its folder.

It can be repeated: items that are packed already are skipped. Ray restarts a task whose node dies. Then: traceview PACKED
"""

import os
import subprocess
import sys

import ray

TRACEVIEW = os.environ.get("TRACEVIEW", "traceview")


@ray.remote(num_cpus=1, max_retries=3)
def pack(run, packed, item):
    subprocess.run([TRACEVIEW, "pack", "--each", run, "--item", item, "-o", packed, "--threads", "1"], check=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    run, packed = (os.path.abspath(path) for path in sys.argv[1:])
    items = subprocess.run([TRACEVIEW, "pack", "--list", run], check=True, capture_output=True, text=True).stdout.splitlines()
    ray.init(address="auto")
    failed = []
    # If one item cannot be packed, the others still are.
    for item, task in [(item, pack.remote(run, packed, item)) for item in items]:
        try:
            ray.get(task)
        except Exception as error:  # a task can fail in many ways
            print(f"{item} is not packed: {error}", file=sys.stderr)
            failed.append(item)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
