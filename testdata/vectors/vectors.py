#!/usr/bin/env python3
"""Runs the cases of this folder's parent against code in other languages. See ../README.md.

    vectors.py canon [--profile NAME] [--show N] [-- PROGRAM ARGUMENT...]
    vectors.py digest
    vectors.py audit FOLDER

canon compares Python's urllib.parse and Node.js' URL with the expected forms, or PROGRAM. With PROGRAM, the exit
code is 1 if a form differs. digest computes each identifier with hashlib. audit writes each audit case to FOLDER as
a PDF file, and the rules that it breaks to expected.tsv. A case file that is broken ends the program with code 2.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit, urlunsplit

CASES = Path(__file__).resolve().parent.parent
REFUSED = b"\\"  # a line with only a backslash: the program takes the URL for none


class Broken(Exception):
    """Broken is a fault of a case file."""


def rows(name, columns):
    """rows yields the rows of a table of canon, without its first line, and unescaped."""
    for n, line in enumerate((CASES / name).read_text("ascii").removesuffix("\n").split("\n"), 1):
        row = line.split("\t")
        if n == 1:
            continue
        if len(row) != columns:
            raise Broken(f"{name}, line {n}: {len(row)} columns instead of {columns}")
        try:
            yield [unescape(cell) for cell in row]
        except ValueError as e:
            raise Broken(f"{name}, line {n}: {e}") from None


NAMED = {"\\": b"\\", "t": b"\t", "n": b"\n", "r": b"\r"}


def unescape(cell):
    """unescape returns the bytes of a cell."""
    if "\\" not in cell:
        return cell.encode("latin-1")

    def byte(m):
        if m[1]:
            return chr(int(m[1], 16))
        if m[2] not in NAMED:
            raise ValueError(f"unknown escape \\{m[2]}")
        return NAMED[m[2]].decode()

    return re.sub(r"\\(?:x([0-9A-Fa-f]{2})|(.?))", byte, cell).encode("latin-1")


def escape(b):
    """escape returns bytes as a cell."""
    named = {v[0]: "\\" + k for k, v in NAMED.items()}
    return "".join(named.get(c) or (chr(c) if 0x20 <= c < 0x7F else f"\\x{c:02X}") for c in b)


def column(i):
    return lambda row: row[i]


def column_if(i, *kinds):
    return lambda row: row[2] if row[i].decode() in kinds else None


def without_fragment(i):
    """without_fragment is for the tables of the RFCs, which only resolve."""
    return lambda row: row[i].partition(b"#")[0]


def by_29e(row):
    """by_29e is the form of the later builds of WWWOFFLE 2.9, which the last column has if it differs."""
    return row[6].removeprefix(b"2.9h: ") if row[6].startswith(b"2.9h: ") else row[2]


def without_ampersand(row):
    """without_ampersand leaves out the rows on which the builds of WWWOFFLE 2.9 may differ."""
    return None if b"&" in row[0] else row[1]


# The tables of each profile: file, number of columns, columns of URL and base (or None), and a function that returns
# the expected form of a row, or None if the row is not for the profile.
PROFILES = {
    "rfc1808": [("rfc1808.tsv", 4, 1, 0, without_fragment(2))],
    "rfc3986": [("rfc3986.tsv", 3, 0, 1, without_fragment(2))],
    "pdf": [("pdf.tsv", 5, 0, 1, column(2)), ("pdf-fuzz.tsv", 4, 0, 1, column(2))],
    "pdf2": [("pdf.tsv", 5, 0, 1, column(4)), ("pdf-fuzz.tsv", 4, 0, 1, column(3))],
    "wwwoffle29": [("wwwoffle29.tsv", 7, 0, 1, column(2)), ("wwwoffle29-fuzz.tsv", 2, 0, None, column(1))],
    "wwwoffle29e": [("wwwoffle29.tsv", 7, 0, 1, by_29e), ("wwwoffle29-fuzz.tsv", 2, 0, None, without_ampersand)],
    "wwwoffle26": [("wwwoffle26.tsv", 7, 0, 1, column(2)), ("wwwoffle26-fuzz.tsv", 2, 0, None, column(1))],
    "hyvatti": [("hyvatti.tsv", 6, 0, None, column_if(4, "url")), ("hyvatti-fuzz.tsv", 2, 0, None, column(1))],
    "faehnri": [("faehnri.tsv", 5, 0, 1, column_if(4, "resolve", "canon")), ("rfc3986.tsv", 3, 0, 1, column(2))],
    "surt": [("surt.tsv", 2, 0, None, column(1))],
}


def cases(profile):
    """cases yields base, URL, and expected form of each case of a profile."""
    for name, columns, url, base, form in PROFILES[profile]:
        for row in rows("canon/" + name, columns):
            want = form(row)
            if want is not None:
                yield b"" if base is None else row[base], row[url], want


PORTS = {"http": ":80", "ftp": ":21"}


def by_urllib(base, url):
    """by_urllib is a reduction of URLs with as much of the standard library as possible."""
    try:
        parts = urlsplit(urldefrag(urljoin(base.decode("latin-1"), url.decode("latin-1"))).url)
        host = parts.netloc.encode("latin-1").lower().decode("latin-1")  # bytes lower-case ASCII alone
        user, at, _ = parts.netloc.rpartition("@")
        host = host[len(user + at) :].removesuffix(PORTS.get(parts.scheme, ""))
        if parts.scheme == "file" and host == "localhost":
            host = ""
        path = parts.path
        if path.startswith("/") and "." in path:
            path = urlsplit(urljoin("http://h/", path)).path  # without dot segments
        return urlunsplit(parts._replace(netloc=user + at + host, path=path)).encode("latin-1")
    except ValueError:
        return REFUSED


def by_program(command, pairs):
    """by_program returns the form of each pair of base and URL by a program."""
    lines = "".join(f"{escape(base)}\t{escape(url)}\n" for base, url in pairs)
    run = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=False)
    out = run.stdout.decode("latin-1").removesuffix("\n").split("\n")
    if run.returncode or len(out) != len(pairs):
        raise SystemExit(f"{command[0]}: exit code {run.returncode}, {len(out)} lines instead of {len(pairs)}")
    return [REFUSED if line == "\\" else unescape(line) for line in out]


def show(form):
    return "refused" if form == REFUSED else escape(form) or "(empty)"


def compare_canon(options):
    """compare_canon prints how many forms agree, and the first that do not."""
    if options.program:
        peers = {Path(options.program[0]).name: options.program}
    else:
        peers = {f"Python {sys.version_info.major}.{sys.version_info.minor}, urllib.parse": None}
        if node := shutil.which("node"):
            peers["Node.js, URL"] = [node, str(Path(__file__).with_name("url.mjs"))]
        else:
            print("needs node for a comparison with its URL")
    differs = False
    for profile in options.profile or PROFILES:
        expected = list(cases(profile))
        pairs = [(base, url) for base, url, _ in expected]
        for peer, command in peers.items():
            forms = by_program(command, pairs) if command else [by_urllib(*p) for p in pairs]
            wrong = [(*case, form) for case, form in zip(expected, forms) if form != case[2]]
            print(f"{profile}: {peer}: {len(expected) - len(wrong)} of {len(expected)} agree")
            for base, url, want, form in wrong[: options.show]:
                on = f" on {escape(base)}" if base else ""
                print(f"  {escape(url)}{on}: expected {show(want)}, got {show(form)}")
            differs |= bool(wrong)
    return int(differs and bool(options.program))


def page_identifier(source, files):
    """page_identifier is the MD5 of a source and the identifiers of its files, each file once."""
    md5, seen = hashlib.md5(source.encode()), set()
    for f in files.split():
        name, _, digits = f.partition("=")
        if name not in seen:
            seen.add(name)
            md5.update(bytes.fromhex(digits))
    return md5.hexdigest()


ESCAPED = {0: b"\\0", ord("."): b"\\p", ord("\\"): b"\\\\"}


def unique_name(form, original, digits):
    """unique_name joins a name and an identifier."""
    original = original.encode()
    escaped = b"".join(ESCAPED.get(c, bytes([c])) for c in bytes.fromhex(digits))

    def letters(b):
        return bytes(ord("A") + half for c in b for half in divmod(c, 16))

    return {
        "destination-suffix": original + escaped,
        "destination-prefix": escaped + original,
        "field-whole": letters(original + escaped),
        "field-id": original + letters(escaped),
        "field-root": letters(escaped),
    }[form].hex()


def compare_digests(_):
    """compare_digests computes the identifiers and names of testdata/digest."""
    differs = 0
    for name, columns, compute in ("pages.tsv", 4, page_identifier), ("names.tsv", 5, unique_name):
        count = 0
        for n, line in enumerate((CASES / "digest" / name).read_text("ascii").splitlines(), 1):
            row = line.split("\t")
            if len(row) != columns:
                raise Broken(f"digest/{name}, line {n}: {len(row)} columns instead of {columns}")
            if n == 1:
                continue
            try:
                got = compute(*row[:-2])
            except (KeyError, ValueError) as e:
                raise Broken(f"digest/{name}, line {n}: {e!r}") from None
            count += 1
            if got != row[-2]:
                differs = 1
                print(f"digest/{name}, line {n}: expected {row[-2]}, got {got}")
        print(f"digest/{name}: {count} cases computed with hashlib")
    return differs


SECTION = re.compile(r"^[ \t]*(?:(\d+)[ \t]+(\d+)[ \t]+obj\b|(names|catalog|spiderinfo|trailer):)", re.M)
STREAM = re.compile(r"(.*)>>\s*stream\r?\n(.*?)(?:\r?\n)?endstream$", re.S)


def archive(path):
    """archive returns the header and the sections of a case."""
    text = path.read_bytes().decode("latin-1")
    head, *parts = re.split(r"^-- (\S+) --\n", text, flags=re.M)
    header = dict(line.split(":", 1) for line in head.splitlines() if line)
    return {k: v.strip() for k, v in header.items()}, dict(zip(parts[::2], parts[1::2]))


def sections_of(text):
    """sections_of returns the named sections of a document, and its objects: generation and text by number."""
    heads = list(SECTION.finditer(text))
    named, objects = {}, {}
    for head, end in zip(heads, [h.start() for h in heads[1:]] + [len(text)]):
        body = re.sub(r"\s*\bendobj\s*$", "", text[head.end() : end].strip())
        if head[3]:
            named[head[3]] = body
            continue
        if stream := STREAM.match(body):
            body = f"{stream[1]}/Length {len(stream[2])} >>\nstream\n{stream[2]}\nendstream"
        objects[int(head[1])] = int(head[2]), body
    return named, objects


def add_catalog(named, objects):
    """add_catalog adds a catalog with a page tree, and returns its number."""
    pages = [n for n, (_, body) in sorted(objects.items()) if re.search(r"/Type\s*/Page\b", body) and "/Kids" not in body]
    root = max(objects, default=0) + 1
    if "catalog" in named:
        objects[root] = 0, named["catalog"]
        return root
    tree = root + 1
    if not pages:
        pages = [root + 2]
        objects[root + 2] = 0, f"<< /Type /Page /Parent {tree} 0 R >>"
    kids = " ".join(f"{n} {objects[n][0]} R" for n in pages)
    media = "/MediaBox [ 0 0 612 792 ] /Resources << >>"
    objects[tree] = 0, f"<< /Type /Pages /Count {len(pages)} /Kids [ {kids} ] {media} >>"
    entries = "".join(f" {key} {named[name]}" for name, key in ENTRIES if name in named)
    objects[root] = 0, f"<< /Type /Catalog /Pages {tree} 0 R{entries} >>"
    return root


ENTRIES = ("names", "/Names"), ("spiderinfo", "/SpiderInfo")


def document(text):
    """document makes a PDF file, as bytes, of the objects of a case."""
    named, objects = sections_of(text)
    trailer = named.get("trailer", "").removeprefix("<<").removesuffix(">>")
    if not re.search(r"/Root \d+ ", trailer):
        trailer = f"/Root {add_catalog(named, objects)} 0 R {trailer}"
    out, offsets = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", {}
    for number, (generation, body) in sorted(objects.items()):
        offsets[number] = len(out)
        out += f"{number} {generation} obj\n{body}\nendobj\n"
    size, start = max(objects) + 1, len(out)
    out += f"xref\n0 {size}\n"
    for n in range(size):
        out += f"{offsets[n]:010} {objects[n][0]:05} n \n" if n in offsets else "0000000000 65535 f \n"
    return (out + f"trailer\n<< /Size {size} {trailer} >>\nstartxref\n{start}\n%%EOF\n").encode("latin-1")


def write_audits(options):
    """write_audits writes each audit case as a PDF file."""
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    expected = ["file\trules\n"]
    for path in sorted((CASES / "audit").glob("*.txtar")):
        try:
            header, sections = archive(path)
            rules = header["expect"].replace("none", "").replace(",", " ").split()
            found = sorted(set(re.findall(r"\[(WC\d{3})\]$", sections.get("want.txt", ""), re.M)))
            if rules != found:
                raise ValueError(f"expect has {rules}, want.txt has {found}")
            pdf = document(sections["objects"])
        except (KeyError, ValueError) as e:
            raise Broken(f"audit/{path.name}: {e!r}") from None
        name = path.stem + ".pdf"
        (folder / name).write_bytes(pdf)
        expected.append(f"{name}\t{' '.join(rules)}\n")
    (folder / "expected.tsv").write_text("".join(expected))
    print(f"{len(expected) - 1} files in {folder}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    canon = commands.add_parser("canon", help="compare canonical URLs")
    canon.add_argument("--profile", action="append", choices=list(PROFILES), help="only this profile")
    canon.add_argument("--show", type=int, default=3, metavar="N", help="differences to print [default: 3]")
    canon.add_argument("program", nargs="*", help="your program, after --")
    canon.set_defaults(run=compare_canon)
    commands.add_parser("digest", help="compute identifiers").set_defaults(run=compare_digests)
    audit = commands.add_parser("audit", help="write audit cases as PDF files")
    audit.add_argument("folder")
    audit.set_defaults(run=write_audits)
    options = parser.parse_args()
    try:
        sys.exit(options.run(options))
    except (Broken, OSError, UnicodeDecodeError) as e:
        print(e, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
