#!/usr/bin/env python3
"""Checks that the mutation check (mutate.py) can draw faults and put them in. Nothing is built: a full run takes an hour."""

import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import draw  # noqa: E402
import mutate  # noqa: E402

SAMPLE = """#include <algorithm>
// if (a < b) in a comment
int least(int a, int b) {
  if (a < b && !done("a < b")) return std::min(a, b + 1);
  for (int i = 0; i < a; ++i) {
    total += i;
    list.AddLine(a, b);
  }
  const auto range = view.begin - 5;
  return range;
}
"""


def main():
    argparse.ArgumentParser(description=__doc__).parse_known_args()
    assert len(draw.masked(SAMPLE)) == len(SAMPLE)
    faults = draw.faults_of("sample.cpp", SAMPLE)
    said = " | ".join(fault.says for fault in faults)
    for part in ("a[ <  =>  <= ]b", "[ &&  =>  || ]", "[min( => max(]", "[! => ]done", "[+= => -=]", "left out: list.AddLine",
                 "view.[begin => end]", "i[ <  =>  <= ]a"):
        assert part in said, f"{part} is not in {said}"
    assert "comment" not in said
    for fault in faults:
        whole = mutate.wrapped_text(SAMPLE, [dict(vars(fault), number=7)])
        assert whole.count("\n") == SAMPLE.count("\n") and whole.count("tv_mutant(7)") == 1, whole
    # Every file of places.txt exists and has faults, and those of found.txt still fit.
    for files in mutate.places().values():
        for file in files:
            assert draw.faults_of(file, (mutate.ROOT / file).read_text()), file
    for block in mutate.by_hand():
        mutate.hand_fault(*block[:3])
    return 0


if __name__ == "__main__":
    sys.exit(main())
