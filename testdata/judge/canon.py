#!/usr/bin/python3
"""canon asks webcap canon for the forms of generated URLs, and compares them with those of profiles.py.

canon.py WEBCAP [--runs 20000] [--seed 1] [--profiles pdf,surt] [--vectors FOLDER]
    print each difference and a line for each profile; exit 1 if there is any
"""

import argparse
import random
import re
import subprocess
import sys
from pathlib import Path

from profiles import PROFILES, Undecided, has_other_scheme


def unescape(cell):
    """Return the bytes that the escapes of the vectors stand for."""
    octets = {b"t": b"\t", b"n": b"\n", b"r": b"\r", b"\\": b"\\"}
    return re.sub(rb"\\(x(..)|.)", lambda m: bytes([int(m[2], 16)]) if m[2] else octets[m[1]], cell)


# Generated URLs

BASES = (
    b"http://h/b/c/d", b"HTTP://u:p@WWW.H:8080/a;p/../b;q?r#s", b"https://h", b"http://H?q&amp;amp;r",
    b"ftp://h:21//a//b/.", b"file:///x/../y/", b"file:/a/b;?", b"http:a/b", b"gopher://H/a/../b#c",
)  # fmt: skip
PARTS = {  # separated by blanks; \x20 stands for a blank
    "scheme": rb"http: http: http: http: HTTP: https: https: ftp: FTP: file: File: gopher: javascript: mailto: data:"
    rb" 1x+-.: a_b:",
    "slashes": rb"// // // // // // // / /// \\",
    "userinfo": rb"        u@ u:p@ U%40:%2f@ :p@ u:@ @ a@b@ a:b:c@ u;v:(p)@ %6a:%00x@ %zz@ \xe9@",
    "host": rb"h h H WWW.Example.COM www2.h www.h localhost LOCALHOST h. a..b a%41b h%20x h\x20x ex_ample"
    rb" h;x h{} \xc3\x89.de 1.2.3.4 127.1 0177.0.0.1 300.1.2.3 1.+2.-3 0x7f.1 017 09 3232235777 99999999999 -"
    rb" [::1] [2001:DB8::A:0:0:1] [::ffff:1.2.3.4] [1:0:0:2:0:0:0:3] [fe80::1%25en0] ::1"
    rb" [::1 [::g] [1::2::3] [1:2] [1.2.3.4] [x] [fe80::1%25en0][x]",
    "port": rb"        : :80 :80 :080 :00080 :21 :21 :443 :8080 :08080 :0 :x :80a :79 :65616 :80:80 :-1 :+80 :0x50"
    rb" :\x0c80",
    "segment": rb" . .. .. ... a B b c a;v=1 ..;x ;. a:b :80 x@y %2e %2E%2e %7Ejoe %3b%2F %zz % %4 %%34%31 %00x %25"
    rb" %2541 a\x20b \xc3\x89 \xe9 \x01 \x7f \t \r .\n ~ !$&'()*+,= [x] {}|^` \\ <\x22> <URL:",
    "query": rb"a=1&b=2 b&a& a\x20b %20+%2b &amp;x &AMP;amp; /../x ? q=%41%26 %zz%%2f% '<\x22>{}|^` x@y a;b [] \\"
    rb" \xc3\x89 \xe9 %00",
    "fragment": rb"top a#b /../x ?y a\x20b %zz <{ \xe9 a:b@/",
}
PARTS = {name: [unescape(part) for part in parts.split(b" ")] for name, parts in PARTS.items()}


def generate(r):
    """Return a URL: an absolute one, a relative one, or a mixture of parts."""

    def some(name):
        return r.choice(PARTS[name])

    def tail():
        path = b"/".join(some("segment") for _ in range(r.choice((0, 1, 2, 3, 3, 4, 5))))
        query = b"?" + b"".join(some("query") for _ in range(r.randrange(3))) if r.random() < 0.4 else b""
        return path + query + (b"#" + some("fragment") if r.random() < 0.2 else b"")

    kind = r.random()
    authority = some("userinfo") + some("host") + some("port")
    if kind < 0.6:
        url = some("scheme") + some("slashes") + authority + r.choice((b"/", b"/", b"/", b"")) + tail()
    elif kind < 0.9:
        url = r.choice((b"", b"", b"/", b"//" + authority + b"/", b";", some("scheme"), authority)) + tail()
    else:
        marks = b"", b"", b"/", b"?", b"#"
        url = b"".join(some(r.choice(list(PARTS))) + r.choice(marks) for _ in range(r.randrange(6)))
    if r.random() < 0.15:
        at = r.randrange(len(url) + 1)
        url = url[:at] + bytes([r.randrange(256)]) + url[at + r.randrange(2) :]
    return url


# Comparison


def ask(webcap, profile, base, urls):
    """Return what the program prints for URLs, one a line."""
    command = [webcap, "canon", "--profile", profile]
    command += [] if base is None else ["--base", base]
    result = subprocess.run(command, input=b"".join(url + b"\n" for url in urls), capture_output=True, check=False)
    answers = result.stdout.split(b"\n")[:-1]
    if result.returncode not in (0, 3) or len(answers) != len(urls):  # 3: some stay relative
        sys.exit(f"{command}: code {result.returncode}, {len(answers)} answers to {len(urls)} URLs\n{result.stderr}")
    return answers


def batch(form, r, base, size):
    """Return generated URLs with their forms, and the number of others whose form no text decides."""
    pairs, undecided = [], 0
    while len(pairs) < size:
        url = generate(r)
        if b"\n" not in url:
            try:
                pairs.append((url, form(url, base)))
            except Undecided:
                undecided += 1
    return pairs, undecided


def compare(webcap, profile, runs, seed):
    """Print the differences of a profile, and return their number."""
    r, form, found, skipped = random.Random(f"{seed} {profile}"), PROFILES[profile], 0, 0
    bases = (None,) if profile in ("hyvatti", "surt") else (None, *BASES)
    for i, base in enumerate(bases):
        size = runs * (i + 1) // len(bases) - runs * i // len(bases)
        pairs, undecided = batch(form, r, base, size)
        skipped += undecided
        answers = ask(webcap, profile, base, [url for url, _ in pairs])
        for (url, want), got in zip(pairs, answers):
            if got != want:
                found += 1
                print(f"{profile}: {url!r} base {base!r}\n  the program  {got!r}\n  the texts    {want!r}")
    print(f"{profile}: {runs} URLs, {found} differences; {skipped} others that no text decides")
    return found


# Vectors: file, profile, and the column of the form
VECTORS = (
    ("pdf.tsv", "pdf", 2), ("pdf.tsv", "pdf2", 4), ("pdf-fuzz.tsv", "pdf", 2), ("pdf-fuzz.tsv", "pdf2", 3),
    ("wwwoffle29.tsv", "wwwoffle29", 2), ("wwwoffle29-fuzz.tsv", "wwwoffle29", 1),
    ("wwwoffle26.tsv", "wwwoffle26", 2), ("wwwoffle26-fuzz.tsv", "wwwoffle26", 1),
    ("hyvatti.tsv", "hyvatti", 2), ("hyvatti-fuzz.tsv", "hyvatti", 1),
    ("faehnri.tsv", "faehnri", 2), ("surt.tsv", "surt", 1),
)  # fmt: skip
KINDS = {  # of the rows of a profile, where a file has several
    "hyvatti.tsv": {"hyvatti": [b"url"]},
    "faehnri.tsv": {"faehnri": [b"resolve", b"canon"]},
}


def compare_vectors(folder, profiles):
    """Print the differences between the texts as read here and a folder of vectors, and return their number."""
    found = rows = 0
    for name, profile, column in VECTORS:
        path = Path(folder, name)
        for line in path.read_bytes().split(b"\n")[1:-1] if path.exists() and profile in profiles else ():
            cells = [unescape(cell) for cell in line.split(b"\t")]
            if name in KINDS and cells[4] not in KINDS[name][profile]:
                continue
            url, base, want = cells[0], cells[1] if column > 1 and cells[1] else None, cells[column]
            if profile in ("pdf", "pdf2") and has_other_scheme(url):
                want = url  # A13; the vectors are older
            try:
                got = PROFILES[profile](url, base)
            except Undecided:
                continue
            rows += 1
            if got != want:
                found += 1
                print(f"{name}: {profile}: {url!r} base {base!r}\n  the vector  {want!r}\n  the texts   {got!r}")
    print(f"{folder}: {rows} rows, {found} differences")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("webcap")
    parser.add_argument("--runs", type=int, default=20000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--profiles", default=",".join(PROFILES))
    parser.add_argument("--vectors", default="../shared/vectors")
    options = parser.parse_args()
    profiles = options.profiles.split(",")
    found = sum(compare(options.webcap, profile, options.runs, options.seed) for profile in profiles)
    found += sum(compare_vectors(folder, profiles) for folder in (options.vectors, Path(__file__).parents[1] / "canon"))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
