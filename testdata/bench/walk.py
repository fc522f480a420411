"""The same walk as walk.js, with pikepdf. Run with: python3 walk.py FILE"""

import sys

import pikepdf

pdf = pikepdf.open(sys.argv[1])
entries = other = 0
for tree in "URLS", "IDS":
    for key, content_set in pikepdf.NameTree(pdf.Root.Names["/" + tree]).items():
        entries += 1
        value = content_set.SI.AU if tree == "URLS" else content_set.ID
        other += str(key) != str(value)
print(entries, "entries,", other, "unlike their content set")
