#!/usr/bin/python3
"""Tests of the mutations: a seed always makes the same file, and every operator changes what it should."""

import io
import random
import unittest

import pikepdf

import mutate
from compare import Comparison
from generate import Generator
from mutations import RECORDS, Mutator
from reader import read_bytes

SAME = {"Limits"}  # records that the judge does not read
CAPTURE = Generator(9, 3, 5).data()


class Seeds(unittest.TestCase):
    """A seed decides all."""

    def test_seed(self):
        for seed in (0, 1, mutate.BATCH, 3 * mutate.BATCH + 7):
            with self.subTest(seed=seed):
                self.assertEqual(mutate.mutated(seed), mutate.mutated(seed))

    def test_original(self):
        """The original of a batch has whole trees, and a mark in each set."""
        for batch in range(7):
            with self.subTest(batch=batch):
                capture = read_bytes(mutate.original(batch * mutate.BATCH))
                self.assertEqual(len(capture.sets), len({s.values["mark"] for s in capture.sets} - {None}))
                self.assertEqual([], Comparison(capture, capture).differences)


class Operators(unittest.TestCase):
    """Each operator on each kind of record makes a difference in most of its uses, and never fails."""

    def test_operators(self):
        for record, operators in RECORDS.items():
            for operator in operators:
                with self.subTest(record=record, operator=operator):
                    self.assertTrue(self.differs(record, operator) or record in SAME)

    def differs(self, record, operator):
        first, found = read_bytes(CAPTURE), 0
        for seed in range(6):
            with pikepdf.open(io.BytesIO(CAPTURE)) as pdf:
                m = Mutator(pdf, random.Random(seed))
                done = m.apply(record, operator)
                m.write()
                out = io.BytesIO()
                pdf.save(out)
                self.assertIsNotNone(done)
            found += bool(Comparison(first, read_bytes(out.getvalue())).differences)
        return found >= 2


if __name__ == "__main__":
    unittest.main()
