#!/usr/bin/python3
"""judge reads and compares Web Capture content databases, independently of webcap.

judge.py dump FILE               print what the database holds, as canonical JSON
judge.py compare ORIGINAL OTHER  print each difference with its kind; exit 1 if there are any
judge.py kinds                   list the kinds of difference
"""

import argparse
import json
import sys

import pikepdf

from compare import KINDS, Comparison
from likeness import similar_pages
from reader import dump, read


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, files in (("dump", ["file"]), ("compare", ["original", "other"]), ("kinds", [])):
        command = commands.add_parser(name)
        command.add_argument("--json", action="store_true", help="Print JSON")
        command.add_argument("--password", default="", help="Password of encrypted files")
        command.add_argument("--render", action="store_true", help="Also compare pages by their rendering")
        for f in files:
            command.add_argument(f)
    o = parser.parse_args(arguments)
    try:
        return {"dump": run_dump, "compare": run_compare, "kinds": run_kinds}[o.command](o)
    except (OSError, pikepdf.PdfError, pikepdf.PasswordError) as error:
        print(f"judge: {error}", file=sys.stderr)
        return 3


def run_dump(o):
    print(json.dumps(dump(read(o.file, o.password)), indent=1, sort_keys=True))
    return 0


def run_compare(o):
    original, other = read(o.original, o.password), read(o.other, o.password)
    found = Comparison(original, other, similar_pages(original, other) if o.render else None).differences
    if o.json:
        print(json.dumps([d.data() for d in found], indent=1))
    else:
        for d in found:
            print(d)
    return 1 if found else 0


def run_kinds(_):
    for kind, meaning in KINDS.items():
        print(f"{kind}: {meaning}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
