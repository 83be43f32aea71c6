#!/usr/bin/env python3
"""Writes exports of Nsight Systems reports that never existed, and says as JSON what is in them.

    python3 tests/support/make_nsys.py run --out DIR [--ranks 8] [--skew-ms 2] [--offset-s 12] [--steps 3] ...
    python3 tests/support/make_nsys.py big --out FILE [--bytes 1e9]
    python3 tests/support/make_nsys.py odd --out FILE
    python3 tests/support/make_nsys.py corrupt --out DIR
    python3 tests/support/make_nsys.py steps --out FILE

`run`: verl under Ray, one report per process (nsys_run.py). `big`: one long report (nsys_big.py). `odd`: everything
that a reader may stumble over (nsys_odd.py). `corrupt`: broken files (nsys_corrupt.py). `steps`: numbered iterations
(nsys_steps.py). The same arguments write the same bytes.
"""

import argparse
import json
import os
import sys

import nsys_big
import nsys_corrupt
import nsys_odd
import nsys_run
import nsys_steps


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    run = verbs.add_parser("run")
    run.add_argument("--out", required=True)
    run.add_argument("--ranks", type=int, default=8)
    run.add_argument("--steps", type=int, default=3)
    run.add_argument("--skew-ms", type=float, default=2, help="the largest error of a host's clock")
    run.add_argument("--offset-s", type=float, default=12, help="the longest time between the beginnings of two sessions")
    run.add_argument("--no-collectives", action="store_true")
    run.add_argument("--discrete", action="store_true", help="one report per phase and step")
    run.add_argument("--critic", action="store_true", help="also process groups critic and rm, as from 9 ranks on")
    run.add_argument("--layers", type=int, default=4)
    run.add_argument("--tokens", type=int, default=24)
    run.add_argument("--scale", type=float, default=1, help="factor of the kernels' durations")
    run.add_argument("--seed", type=int, default=20260522)
    big = verbs.add_parser("big")
    big.add_argument("--out", required=True)
    big.add_argument("--bytes", type=float, default=1e9)
    for name in ("odd", "corrupt", "steps"):
        verbs.add_parser(name).add_argument("--out", required=True)
    return parser.parse_args()


def main():
    options = arguments()
    if options.verb in ("run", "corrupt"):
        os.makedirs(options.out, exist_ok=True)
    if options.verb == "run":
        truth = nsys_run.Run(options).run()
    elif options.verb == "big":
        truth = nsys_big.write(options.out, int(options.bytes))
    elif options.verb == "odd":
        truth = nsys_odd.write(options.out)
    elif options.verb == "steps":
        truth = nsys_steps.write(options.out)
    else:
        truth = nsys_corrupt.write(options.out)
    json.dump(truth, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
