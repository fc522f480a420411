"""Print the captures of a PDF as JSON, read by pikepdf: an independent reader for the tests of package catalog."""

import json
import sys

import pikepdf

SUBTYPES = {"/SPS": "page", "/SIS": "image"}


def pairs(node):
    """Yield the keys and values of a name tree."""
    names = list(node.get("/Names", []))
    yield from zip(names[::2], names[1::2])
    for kid in node.get("/Kids", []):
        yield from pairs(kid)


def captures(pdf):
    """Return a dictionary for each content set, in the order of its object numbers."""
    sets = {}
    for tree in ("/URLS", "/IDS"):
        for _, value in pairs(pdf.Root.Names.get(tree, {})):
            for s in value if isinstance(value, pikepdf.Array) else [value]:
                sets[s.objgen[0]] = s
    numbers = {page.objgen[0]: number for number, page in enumerate(pdf.pages, 1)}
    for number, s in sorted(sets.items()):
        members = [m.objgen[0] for m in s.O]
        yield {
            "object": number,
            "kind": SUBTYPES.get(str(s.S), "other"),
            "title": str(s.get("/T", "")),
            "date": str(s.get("/TS", "")),
            "pages": sorted({numbers[m] for m in members if m in numbers}),
            "members": members,
        }


json.dump(list(captures(pikepdf.open(sys.argv[1]))), sys.stdout)
