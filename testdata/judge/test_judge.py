#!/usr/bin/python3
"""Tests of the judge: each kind of difference is seen, and harmless changes are none."""

import io
import json
import tempfile
import unittest
from pathlib import Path

import pikepdf

import judge
from compare import KINDS, Comparison, change
from edits import EDITS, IMAGES, PAGES, delete_keys, edited, names, original, sets, swap
from reader import dump, read_bytes

def compared(edit):
    return Comparison(read_bytes(original()), read_bytes(edited(edit)))


def exchange_and_drop(pdf):
    """Exchange two values of IDS, then rename the key of one."""
    EDITS["values exchanged"][0](pdf)
    names(pdf, "/IDS")[0] = pikepdf.String(b"\0")


class Kinds(unittest.TestCase):
    """Each edit makes the differences that it names."""

    def test_edits(self):
        seen = set()
        for name, (edit, kinds) in EDITS.items():
            with self.subTest(name):
                found = {d.kind for d in compared(edit).differences}
                seen |= found
                if name == "page deleted, O by number":
                    self.assertLessEqual(kinds, found)
                else:
                    self.assertEqual(kinds, found)
        self.assertEqual(set(KINDS), seen, "each kind has an edit")

    def test_numbers_and_names_do_not_count(self):
        """Object numbers, names of resources, and the compression of streams are no differences."""

        def rename(pdf):
            for page in pdf.pages:
                objects = page.obj.Resources.XObject
                for key in list(objects.keys()):
                    objects["/Other" + key[1:]] = objects[key]
                    del objects[key]
                data = page.obj.Contents.read_bytes().replace(b"/Im", b"/OtherIm").replace(b"\n", b"  \n ")
                page.obj.Contents = pdf.make_stream(data)

        self.assertEqual([], compared(rename).differences)
        for options in ({"object_stream_mode": pikepdf.ObjectStreamMode.generate}, {"linearize": True}, {"qdf": True}):
            with self.subTest(str(options)):
                data = edited(lambda p: None, **options)
                self.assertEqual([], Comparison(read_bytes(original()), read_bytes(data)).differences)

    def test_reasons(self):
        """A lost set says whether its members are still in the file."""

        def without_images(pdf):
            for s in sets(pdf, "/SIS"):
                delete_keys(pdf, s)
            for page in pdf.pages:
                del page.obj.Resources.XObject

        kept = compared(lambda p: [delete_keys(p, s) for s in sets(p, "/SIS")]).differences
        gone = compared(without_images).differences
        self.assertEqual({"its images are in the file"}, {d.reason for d in kept if d.kind == "set lost"} - {""})
        reasons = {d.reason for d in gone if d.kind == "set lost"}
        self.assertEqual({"its images are not in the file"}, reasons)

    def test_change(self):
        """A repair that changes a right value is worse, one that adds a wrong value is an invention."""
        before = compared(EDITS["SI exchanged"][0])

        def wrong_repair(pdf):
            EDITS["SI exchanged"][0](pdf)
            pairs, swapped = names(pdf, "/URLS"), sets(pdf, "/SIS")[:2]
            at = [i for i in range(1, len(pairs), 2) if pairs[i] in swapped]
            swap(pairs, at[0], at[1])

        result = change(before, compared(wrong_repair))
        self.assertTrue(result.worse)
        self.assertEqual({"key redirected"}, {d.kind for d in result.worse})
        self.assertFalse(change(before, compared(lambda p: None)).worse)
        self.assertGreater(change(before, compared(lambda p: None)).better, 0)
        gone = change(compared(EDITS["values exchanged"][0]), compared(exchange_and_drop))
        self.assertEqual({"key lost"}, {d.kind for d in gone.worse}, "a key is right even if it leads to a wrong set")
        added = change(before, compared(lambda p: (EDITS["SI exchanged"][0](p), EDITS["key added"][0](p))))
        self.assertEqual(["key added"], [d.kind for d in added.invented])


class CommandLine(unittest.TestCase):
    """Exit codes and output of the program."""

    def test_codes(self):
        with tempfile.TemporaryDirectory() as folder:
            a, b, broken = (str(Path(folder, name)) for name in ("a.pdf", "b.pdf", "broken.pdf"))
            Path(a).write_bytes(original())
            Path(b).write_bytes(edited(EDITS["V changed"][0]))
            Path(broken).write_bytes(b"not a PDF")
            self.assertEqual(0, quiet(["compare", a, a]))
            self.assertEqual(1, quiet(["compare", a, b]))
            self.assertEqual(3, quiet(["compare", a, broken]))

    def test_dump(self):
        data = dump(read_bytes(original()))
        self.assertEqual(PAGES + IMAGES, len(data["sets"]))
        self.assertEqual(data, json.loads(json.dumps(data)))
        again = dump(read_bytes(edited(lambda p: None, linearize=True)))
        self.assertEqual(data, again, "object numbers are not in a dump")


def quiet(arguments):
    from contextlib import redirect_stderr, redirect_stdout

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return judge.main(arguments)


if __name__ == "__main__":
    unittest.main()
