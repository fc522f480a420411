#!/usr/bin/python3
"""differences asks webcap diff about each edit of a capture, and says which differences only the judge sees.

differences.py WEBCAP    print a table; exit 1 if webcap diff misses an edit
"""

import sys
import tempfile
from pathlib import Path

from compare import Comparison
from edits import EDITS, edited, original
from reader import read_bytes
from webcap import Program


def main(arguments):
    program, missed = Program(*arguments), 0
    print("| edit | the judge sees | webcap diff |")
    print("|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before.pdf"), Path(folder, "after.pdf")
        before.write_bytes(original())
        for name, (edit, _) in EDITS.items():
            after.write_bytes(edited(edit))
            comparison = Comparison(read_bytes(original()), read_bytes(after.read_bytes()))
            kinds = sorted({d.kind for d in comparison.differences})
            seen = program.differ(before, after)
            word = {True: "different", False: "same", None: "not compared"}[seen]
            missed += seen is None or seen != bool(kinds)
            print(f"| {name} | {', '.join(kinds) or 'same'} | {word} |")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
