"""likeness finds pages that look the same, for tools that rewrite content streams. It renders with pdftoppm."""

import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

DPI = 16
NEAR = 5  # mean difference of grey levels, of 255, below which pages are the same


def similar_pages(original, other):
    """Return a function that finds the index of the page of the original that a page of the other looks like."""

    def find(page, _):
        theirs = render(other.path)
        if page.number not in theirs:
            return None
        ours = render(original.path)
        best = None
        for n, candidate in enumerate(original.pages):
            if candidate.number in ours:
                d = distance(ours[candidate.number], theirs[page.number])
                rank = d, candidate.number != page.number
                if d < NEAR and (best is None or rank < best[0]):
                    best = rank, n
        return best and best[1]

    return find


@lru_cache(maxsize=64)
def render(path):
    """Return the grey pixels of each page of a file: {number: (width, height, bytes)}."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["pdftoppm", "-r", str(DPI), "-gray", path, folder + "/p"]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False)
        return {int(p.stem.rpartition("-")[2]): pixels(p.read_bytes()) for p in Path(folder).glob("p-*.pgm")}


def pixels(data):
    """Parse a binary PGM file as pdftoppm writes it."""
    _, size, _, rest = data.split(b"\n", 3)
    width, height = map(int, size.split())
    return width, height, rest


def distance(a, b):
    """Return the mean difference of two renderings; infinite if their sizes differ by more than a pixel."""
    if abs(a[0] - b[0]) > 1 or abs(a[1] - b[1]) > 1:
        return float("inf")
    width, height, total = min(a[0], b[0]), min(a[1], b[1]), 0
    for y in range(height):
        row = a[2][y * a[0] : y * a[0] + width], b[2][y * b[0] : y * b[0] + width]
        total += sum(abs(p - q) for p, q in zip(*row))
    return total / max(1, width * height)
