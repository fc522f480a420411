"""viewer looks up keys in name trees as viewers of PDF files do, and reduces URLs to canonical form."""

import itertools
import re

from pikepdf import Array

from reader import MAX_DEPTH, get, is_dictionary, string_of

SCHEMES = {b"http": b"80", b"https": b"", b"ftp": b"21", b"file": b""}  # with the ports that the steps strip
ROUNDINGS = tuple(itertools.product((0, 1), repeat=2))  # in Kids and in Names: which of two middles is the middle


def canonical(url):
    """Reduce an absolute URL by the steps of ISO 32000-2, 14.10.3.2, and choices A12 to A14 of canonicalization.md."""
    whole, url = url, url.split(b"#")[0]
    parts = re.fullmatch(rb"([A-Za-z][A-Za-z0-9+.-]*):(//[^/?]*)?(.*)", url, re.DOTALL)
    if not parts:
        return url
    scheme, authority, rest = parts.group(1).lower(), parts.group(2), parts.group(3)
    if scheme not in SCHEMES:
        return whole  # no step applies
    if authority is None:
        return url.replace(parts.group(1), scheme, 1)
    user, at, host = authority[2:].rpartition(b"@")
    host = host.lower()
    if scheme == b"file" and host == b"localhost" and not at:
        host = b""
    if SCHEMES[scheme]:
        host = re.sub(rb":0*%s$" % SCHEMES[scheme], b"", host)
    end = re.search(rb"[;?]", rest)
    path, tail = (rest[: end.start()], rest[end.start() :]) if end else (rest, b"")
    return scheme + b"://" + user + at + host + without_dots(path) + tail


def without_dots(path):
    """Resolve dot segments as RFC 1808 does: ".." that has nothing to remove stays."""
    segments, done = path.split(b"/"), []
    for n, segment in enumerate(segments):
        is_last = n == len(segments) - 1
        if segment == b".." and len(done) > 1 and done[-1] != b"..":
            done.pop()
        elif segment != b".":
            done.append(segment)
            continue
        done += [b""] if is_last else []
    return b"/".join(done)


def lookups(root, key):
    """Return the values to which viewers come from a key, None for nothing. In a sound tree there is only one.

    Viewers follow Limits and halve what is sorted. Where the order is broken, they come to different ends.
    """
    return [lookup(root, key, *rounding) for rounding in ROUNDINGS]


def lookup(node, key, above_kids, above_names):
    for _ in range(MAX_DEPTH):
        if not is_dictionary(node):
            return None
        kids = get(node, "Kids")
        if not isinstance(kids, Array):
            names = get(node, "Names")
            names = list(names) if isinstance(names, Array) else []
            keys = [string_of(name) for name in names[::2]][: len(names) // 2]
            i = halve([k if k is None else (k, k) for k in keys], key, above_names)
            return None if i is None else names[2 * i + 1]
        kids = list(kids)
        i = halve([limits(kid) for kid in kids], key, above_kids)
        if i is None:
            return None
        node = kids[i]
    return None


def halve(ranges, key, above):
    """Return the index of the range with a key. None is a range that cannot be read, where viewers give up."""
    low, high = 0, len(ranges) - 1
    while low <= high:
        middle = (low + high + above) // 2
        if ranges[middle] is None:
            return None
        least, greatest = ranges[middle]
        if key < least:
            high = middle - 1
        elif key > greatest:
            low = middle + 1
        else:
            return middle
    return None


def limits(kid):
    """Return the least and the greatest key below a kid, as it says."""
    pair = get(kid, "Limits")
    pair = [string_of(k) for k in pair] if isinstance(pair, Array) else []
    return tuple(pair) if len(pair) == 2 and None not in pair else None
