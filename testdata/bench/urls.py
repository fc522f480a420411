"""Reads URLs, one a line, and writes each by urllib.parse: split, without a fragment, and joined."""

import sys
from urllib.parse import urldefrag

for line in sys.stdin:
    sys.stdout.write(urldefrag(line.rstrip("\n")).url + "\n")
