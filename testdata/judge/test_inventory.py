#!/usr/bin/python3
"""Tests of the inventory: each wrong answer of webcap list and webcap find is seen, and right answers are none."""

import io
import re
import unittest
from collections import Counter
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, String

from generate import Generator
from inventory import DAMAGE, Inventory, date, find_differences, list_differences
from viewer import canonical, lookups


def capture(row):
    """Return what webcap list says if it is right."""
    sources = [{"url": url, "redirects": chains} for url, chains in row.values["sources"]]
    pages = [{"first": n, "last": n} for n in row.pages]
    members = [{"num": n} for n in row.values["members"]]
    return {**row.values, "object": {"num": row.number}, "sources": sources, "pages": pages, "members": members}


def match(inventory, text, number, answer):
    row = next(r for r in inventory.rows if r.number == number)
    return {"query": text, "answer": answer, "capture": capture(row)}


class Inventories(unittest.TestCase):
    """An inventory of a capture with kids in its trees, with or without damage."""

    def setUp(self):
        self.open()

    def open(self, damage=lambda pdf, root: None):
        g = Generator(1, pages=7, images=6)
        g.kids = True
        pdf = g.make()
        for tree in ("/URLS", "/IDS"):
            damage(pdf, pdf.Root.Names[tree])
        out = io.BytesIO()
        pdf.save(out)
        self.pdf = pikepdf.open(out)
        self.addCleanup(self.pdf.close)
        self.inventory = Inventory(self.pdf)
        self.questions = self.inventory.questions()

    def matches(self):
        """Return what webcap find says if it is right."""
        return [
            match(self.inventory, text, number, how)
            for text, question in self.questions.items()
            for number, how in self.inventory.answers(*question)[0]
        ]


class Lists(Inventories):
    """What webcap list says."""

    def test_right(self):
        self.assertEqual(13, len(self.inventory.rows))
        self.assertEqual([], list(list_differences(self.inventory, map(capture, self.inventory.rows))))

    def test_values(self):
        """Each wrong value is one difference."""
        wrong = {
            "kind": "other", "url": "http://x/", "captured": None, "title": "x", "contentType": "x/y", "id": "00",
            "pages": [{"first": 1, "last": 99}], "members": [], "sources": [],
        }
        self.assertEqual(set(self.inventory.rows[0].values), set(wrong))
        place = next(i for i, row in enumerate(self.inventory.rows) if row.kind == "page")
        for name, value in wrong.items():
            with self.subTest(name):
                captures = [capture(row) for row in self.inventory.rows]
                captures[place][name] = value
                found = list(list_differences(self.inventory, captures))
                self.assertTrue(any(f": {name} is " in d for d in found), found)
                self.assertLessEqual(len(found), 2 if name == "kind" else 1)

    def test_sets(self):
        """A content set that is not listed is a difference, and one that is listed twice."""
        captures = [capture(row) for row in self.inventory.rows]
        for said in (captures[1:], captures + captures[:1]):
            self.assertEqual(1, len(list(list_differences(self.inventory, said))))


class Finds(Inventories):
    """What webcap find says."""

    def test_right(self):
        right = self.matches()
        entries = sum(map(len, self.inventory.entries.values()))
        self.assertEqual(Counter(found=entries), Counter(m["answer"] for m in right))
        self.assertEqual([], list(find_differences(self.inventory, self.questions, right)))

    def test_answers(self):
        """A wrong answer is a difference, also an answer that is not given, and one to an absent URL."""
        right = self.matches()
        absent = match(self.inventory, "http://absent.example/", self.inventory.rows[0].number, "found")
        for said in ([{**right[0], "answer": "missed"}, *right[1:]], right[1:], [*right, absent]):
            self.assertEqual(1, len(list(find_differences(self.inventory, self.questions, said))))

    def test_pages(self):
        right = self.matches()
        m = next(m for m in right if m["capture"]["kind"] == "page")
        m["capture"]["pages"] = []
        self.assertEqual(1, len(list(find_differences(self.inventory, self.questions, right))))

    def test_damage(self):
        """A viewer misses keys of most damaged trees. An answer that it finds them is a difference."""
        for kind, damage in DAMAGE.items():
            with self.subTest(kind):
                self.open(damage)
                right = self.matches()
                missed = [m for m in right if m["answer"] == "missed"]
                self.assertEqual(kind in ("no damage", "two levels", "a leaf twice"), not missed)
                for m in missed[:1]:
                    said = [{**n, "answer": "found"} if n is m else n for n in right]
                    possible = self.inventory.answers(*self.questions[m["query"]])
                    if all(p == possible[0] for p in possible):
                        self.assertEqual(1, len(list(find_differences(self.inventory, self.questions, said))))


class Steps(unittest.TestCase):
    """Canonical form, dates, and searches."""

    def test_canonical(self):
        """The vectors of absolute URLs, which are made from the standard and not by webcap."""
        tested = 0
        for line in Path(__file__).parents[1].joinpath("canon/pdf.tsv").read_text("latin-1").splitlines():
            url, base, want, *_ = line.split("\t") if "\t" in line else ("#", "", "")
            if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", url) and not base and "\\" not in url:
                self.assertEqual(want, canonical(url.encode("latin-1")).decode("latin-1"))
                tested += 1
        self.assertGreater(tested, 50)

    def test_date(self):
        for text, want in (
            (b"D:20040407210425", "2004-04-07T21:04:25Z"),
            (b"D:20040407210425-05'30'", "2004-04-08T02:34:25Z"),
            (b"D:2004", "2004-01-01T00:00:00Z"),
            (b"D:20040431", None),
            (b"20040407", None),
            (b"D:200404072104251", None),
        ):
            self.assertEqual(want, date(String(text)))

    def test_lookups(self):
        """A sound leaf has one answer. In one that is not sorted, searches come to different ends."""
        for keys, want in (("abcd", [1, 1, 1, 1]), ("bcda", [None] * 4), ("acbd", [None, 2, None, 2])):
            root = Dictionary(Names=Array([v for i, k in enumerate(keys) for v in (String(k), i)]))
            self.assertEqual(want, lookups(root, b"b" if keys != "bcda" else b"a"), keys)


if __name__ == "__main__":
    unittest.main()
