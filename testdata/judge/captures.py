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


def images(resources):
    """Yield the object numbers of the images that resources lead to."""
    for key in ("/XObject", "/Pattern"):
        found = resources.get(key, {})
        for name in found.keys():
            x = found[name]
            if x.get("/Subtype") == "/Image":
                yield x.objgen[0]
            elif "/Resources" in x:
                yield from images(x.Resources)


def captures(pdf):
    """Return a dictionary for each content set, in the order of its object numbers."""
    sets = {}
    for tree in ("/URLS", "/IDS"):
        for _, value in pairs(pdf.Root.Names.get(tree, {})):
            for s in value if isinstance(value, pikepdf.Array) else [value]:
                sets[s.objgen[0]] = s
    shown = {}
    for number, page in enumerate(pdf.pages, 1):
        for ref in {page.objgen[0], *images(page.obj.get("/Resources", {}))}:
            shown.setdefault(ref, []).append(number)
    for number, s in sorted(sets.items()):
        members = [m.objgen[0] for m in s.O]
        yield {
            "object": number,
            "kind": SUBTYPES.get(str(s.S), "other"),
            "title": str(s.get("/T", "")),
            "date": str(s.get("/TS", "")),
            "pages": sorted({p for m in members for p in shown.get(m, [])}),
            "members": members,
        }


json.dump(list(captures(pikepdf.open(sys.argv[1]))), sys.stdout)
