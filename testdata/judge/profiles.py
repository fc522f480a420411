"""profiles computes the forms of URLs from the texts alone.

The texts are the five documents, RFC 1808, RFC 3986, the README.URL and the functions of WWWOFFLE, getSurt of warcio.js
with the URL Standard, and what docs/canonicalization.md decides where these are silent (A1 to A25). Functions have the
names that the texts use. Nothing here comes from package canon. URLs are bytes.
"""

import ipaddress
import re

ALNUM = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
SCHEME = re.compile(rb"[A-Za-z0-9+.-]+(?=:)")  # RFC 1808, 2.4.2; A17
ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")


class Undecided(Exception):
    """Undecided says that no sentence decides the form of a URL."""


def cut(text, mark):
    """Return what is before the first mark, and what follows it, or None."""
    before, found, after = text.partition(mark)
    return before, after if found else None


def escape(octet):
    return b"%%%02X" % octet


def encode(text, kept):
    return b"".join(bytes([o]) if o in kept else escape(o) for o in text)


# The parts of a URL


class Parts:
    """Parts are those of RFC 1808, 2.4: a part that is absent is None. Without params, those of RFC 3986."""

    def __init__(self, url, params):
        url, self.fragment = cut(url, b"#")
        scheme = SCHEME.match(url)
        self.scheme = scheme and scheme[0]
        rest = url[scheme.end() + 1 :] if scheme else url
        self.authority = None
        if rest.startswith(b"//"):
            end = re.search(rb"[/?]|\Z", rest[2:]).start() + 2  # A18
            self.authority, rest = rest[2:end], rest[end:]
        rest, self.query = cut(rest, b"?")
        self.path, self.params = cut(rest, b";") if params else (rest, None)

    def __bytes__(self):
        parts = (self.scheme, b"", b":"), (self.authority, b"//", b""), (self.path, b"", b"")
        parts += (self.params, b";", b""), (self.query, b"?", b""), (self.fragment, b"#", b"")
        return b"".join(before + part + after for part, before, after in parts if part is not None)

    def host(self):
        """Return userinfo with its at sign, host, and port with its colon. A8, A11"""
        at = self.authority.rfind(b"@") + 1
        userinfo, hostport = self.authority[:at], self.authority[at:]
        bracket = hostport.find(b"]") if hostport.startswith(b"[") else 0
        colon = hostport.find(b":", max(bracket, 0))
        return (userinfo, hostport, b"") if colon < 0 else (userinfo, hostport[:colon], hostport[colon:])


def merge(base, path):
    """Replace what follows the last slash of the path of the base. RFC 1808, 4, step 6; RFC 3986, 5.2.3; A23"""
    before = base.path[: base.path.rfind(b"/") + 1]
    return (before or (b"/" if base.authority is not None and not base.path else b"")) + path


def resolve_1808(url, base):
    if not bytes(url):
        return base  # 2a
    if url.scheme is not None:
        return url  # 2b
    url.scheme = base.scheme  # 2c
    if url.authority:
        return url  # 3
    url.authority = base.authority
    if url.path.startswith(b"/"):
        return url  # 4
    if not url.path:  # 5
        url.path = base.path
        if not url.params:
            url.params = base.params
            if not url.query:
                url.query = base.query
        return url
    url.path = dots_1808(merge(base, url.path))  # 6
    return url


def resolve_3986(url, base):
    """Resolve as in RFC 3986, 5.2.2. An absolute URL keeps its dot segments."""
    if url.scheme is not None:
        return url
    url.scheme = base.scheme
    if url.authority is None:
        url.authority = base.authority
        if not url.path:
            url.path = base.path
            if url.query is None:
                url.query = base.query
            return url
        if not url.path.startswith(b"/"):
            url.path = merge(base, url.path)
    url.path = dots_3986(url.path)
    return url


def dots_1808(path):
    """Take the steps 6a to 6d of RFC 1808, 4. The slash before the path is not part of it."""
    slash = path[: path.startswith(b"/")]
    segments = path[len(slash) :].split(b"/")
    segments = [s for s in segments[:-1] if s != b"."] + segments[-1:]  # 6a
    if segments[-1] == b".":  # 6b
        segments[-1] = b""
    i = 1
    while i < len(segments) - 1:  # 6c
        if segments[i] == b".." != segments[i - 1]:
            del segments[i - 1 : i + 1]
            i = max(i - 1, 1)
        else:
            i += 1
    if len(segments) > 1 and segments[-1] == b".." != segments[-2]:  # 6d
        segments[-2:] = [b""]
    return slash + b"/".join(segments)


def dots_3986(path):
    """Take the steps 2A to 2E of RFC 3986, 5.2.4."""
    output = []
    while path:
        if path.startswith((b"../", b"./")):  # A
            path = path[path.index(b"/") + 1 :]
        elif path.startswith(b"/./") or path == b"/.":  # B
            path = b"/" + path[3:]
        elif path.startswith(b"/../") or path == b"/..":  # C
            path = b"/" + path[4:]
            output = output[:-1]
        elif path in (b".", b".."):  # D
            path = b""
        else:  # E
            end = path.find(b"/", 1)
            end = len(path) if end < 0 else end
            output.append(path[:end])
            path = path[end:]
    return b"".join(output)


# The profiles


def written(parts):
    """Give a path that looks like an authority an empty one before it. RFC 3986, 3.3; A24"""
    if parts.authority is None and parts.path.startswith(b"//"):
        parts.authority = b""
    return parts


def has_other_scheme(url):
    """Report whether no step of pdf and pdf2 applies to a URL. A13"""
    scheme = SCHEME.match(url)
    return scheme is not None and scheme[0].lower() not in (b"http", b"https", b"ftp", b"file")


def pdf(url, base, params=True):
    resolve, dots = (resolve_1808, dots_1808) if params else (resolve_3986, dots_3986)
    parts = Parts(url, params)
    if base is not None:
        parts = written(resolve(parts, Parts(base, params)))
    if has_other_scheme(bytes(parts)):
        return bytes(parts)
    parts.fragment = None
    parts.scheme = parts.scheme and parts.scheme.lower()
    if parts.authority is not None:
        userinfo, host, port = parts.host()
        host = host.lower()
        if parts.scheme == b"file" and (userinfo, host, port) == (b"", b"localhost", b""):  # A14
            host = b""
        default = {b"http": 80, b"ftp": 21}.get(parts.scheme)
        if re.fullmatch(rb":[0-9]+", port) and int(port[1:]) == default:  # A12
            port = b""
        parts.authority = userinfo + host + port
    parts.path = dots(parts.path)
    return bytes(written(parts))


def pdf2(url, base):
    return pdf(url, base, params=False)


def hyvatti(url, _):
    url = url.split(b"#")[0]
    unsafe = set(range(0x21)) | set(range(0x7F, 0x100)) | set(b'<>"')
    preserved = unsafe | set(b"#%;/?:@=&")

    def character(match):
        if match[1] is None:
            return escape(match[0][0]) if match[0][0] in unsafe else match[0]
        octet = int(match[1], 16)
        return match[0] if octet in preserved else bytes([octet])

    url = re.sub(rb"(?s)%([0-9A-Fa-f]{2})|.", character, url)
    parts = Parts(url, False)
    parts.scheme = parts.scheme and parts.scheme.lower()
    if parts.scheme == b"http" and parts.authority is not None:
        before, after = re.fullmatch(rb"(?s)([^;]*)(.*)", parts.authority).groups()
        userinfo, at, hostport = before.rpartition(b"@")
        parts.authority = userinfo + at + hostport.lower().removesuffix(b":80") + after
    return bytes(parts)


def faehnri(url, base):
    parts = Parts(url, False)
    if base is not None and parts.scheme is None:
        parts = written(resolve_3986(parts, Parts(base, False)))
    encoded = set(b'{}|\\^[]`<>#%" ') | set(range(0x20)) | set(range(0x7F, 0x100))

    def code(text):
        return b"".join(
            t if ESCAPE.fullmatch(t) else encode(t, set(range(0x100)) - encoded)
            for t in re.split(rb"(%[0-9A-Fa-f]{2})", text)
        )

    if parts.authority is not None:
        userinfo, host, port = parts.host()
        address = re.fullmatch(rb"\[([0-9A-Fa-f.]*:){2}[0-9A-Fa-f:.]*(%[^][]*)?\]", host)
        parts.authority = code(userinfo) + (b"[" + code(host[1:-1]) + b"]" if address else code(host)) + code(port)
    parts.path = code(parts.path)
    parts.query = parts.query and code(parts.query)
    parts.fragment = parts.fragment and code(parts.fragment)
    return bytes(parts)


# WWWOFFLE


def digit(octet):
    """Return the value of a hexadecimal digit; anything else counts as 0."""
    return int(bytes([octet]), 16) if octet in b"0123456789abcdefABCDEF" else 0


def url_decode_generic(text):
    octets = re.sub(rb"(?s)%(..)", lambda m: bytes([digit(m[1][0]) * 16 + digit(m[1][1])]), text)
    return octets.split(b"\0")[0]


def url_recode_form_args(text):
    decoded = ALNUM + b"!$()*,-./:_~|"

    def character(match):
        if match[1] is None:
            return b"+" if match[0] == b" " else encode(match[0], decoded + b"&+;=?")
        octet = digit(match[1][0]) * 16 + digit(match[1][1])
        if octet in decoded or octet == 0x20:
            return b"+" if octet == 0x20 else bytes([octet])
        return match[0].upper()

    return re.sub(rb"(?s)%(..)|.", character, text)


def canonicalise_name(name):
    segments = name.split(b"/")[1:]
    segments = [s for s in segments[:-1] if s != b"."] + segments[-1:]
    kept = []
    for s in segments[:-1]:
        kept = kept[:-1] if s == b".." else kept + [s]
    last = segments[-1]
    if last == b".":
        return b"".join(b"/" + s for s in kept) or b"/"
    if last == b".." and (not kept or kept[-1]):
        kept, last = kept[:-1], b""
    return b"".join(b"/" + s for s in kept + [last])


def strtoul(text, base=0):
    """Return the number that a text begins with, as strtoul does where a long has 64 bits, and what follows it."""
    digits = rb"0x[0-9a-f]+|0[0-7]*|[1-9][0-9]*" if base == 0 else rb"[0-9]+"
    match = re.match(rb"[ \t-\r]*([+-]?)(%s)" % digits, text)
    if not match:
        return 0, None
    sign, digits = match.groups()
    base = base or (16 if digits.startswith(b"0x") else 8 if digits.startswith(b"0") else 10)
    value = min(int(digits, base), (1 << 64) - 1)
    return (-value if sign == b"-" else value) % (1 << 64), text[match.end() :]


def canonicalise_host(hostport):
    if hostport.startswith(b"[") or hostport.count(b":") > 1:
        match = re.fullmatch(rb"\[([0-9a-f:.]+)\](?::([0-9]*))?|([0-9a-f:.]+)", hostport)
        address = match and ipv6(match[1] or match[3])
        if not address:
            raise Undecided
        host, port = b"[%s]" % b":".join(b"%x" % group for group in address), match[2]
    elif re.search(rb"[a-z]", hostport):
        return hostport
    else:
        host, _, port = hostport.partition(b":")
        if b"." in hostport:
            octets, rest = [], b"." + host
            while len(octets) < 4 and rest and rest.startswith(b"."):
                value, rest = strtoul(rest[1:], 10)
                octets.append(value & 0xFF)
            octets += [0] * (4 - len(octets))
        else:
            octets = (strtoul(host)[0] & 0xFFFFFFFF).to_bytes(4, "big")
        host = b"%d.%d.%d.%d" % tuple(octets)
    port = strtoul(port or b"")[0] & 0xFFFFFFFF
    return host + (b":%d" % (port & 0xFFFF) if port else b"")


def split_url(url, version):
    """Return protocol, userinfo, host with port, path, parameters, and arguments, each in canonical form."""
    if version != "2.6":
        url = url.split(b"#")[0]
    colon, slash, at = url.find(b":"), url.find(b"/"), url.find(b"@")
    protocol, start = b"http", 0
    if slash == 0:
        pass
    elif colon >= 0 and slash == colon + 1:
        protocol, start = url[:colon], slash + 1
        start += url[start : start + 1] == b"/"
        colon, slash = url.find(b":", start), url.find(b"/", start)
    elif (
        colon >= 0 and not url[colon + 1 : colon + 2].isdigit() and (slash < 0 or colon < slash)
        and (at < 0 or 0 <= slash < at)
    ):
        protocol, start = url[:colon], colon + 1
        colon = url.find(b":", start)
    user = password = None
    if at > start and (slash < 0 or at < slash):
        end = at
        if start <= colon < at:
            user, password = url[start:colon], url[colon + 1 : at]
        else:
            second = url.find(b"@", at + 1)
            if 0 <= colon < second < slash:
                user, password, end = url[start:colon], url[colon + 1 : second], second
            else:
                user = url[start:at]
        start = end + 1
    elif at == start:
        start += 1
    rest, arguments = cut(url[start:], b"?")
    host, path = cut(rest, b"/")
    parameters = None
    if version == "2.6":
        parameters = cut(rest, b";")[1]
        host, path = host.split(b";")[0], path and path.split(b";")[0] if b";" not in host else path
    path = canonicalise_name(url_decode_generic(b"/" + (path or b"")))
    kept = ALNUM + b"!$()*+,-./:=_~" + (b";" if version != "2.6" else b"")
    parts = [encode(path, kept)]  # in canonical form, with parameters and arguments
    parts += [url_recode_form_args(p) if p else None for p in (parameters, arguments)]
    if parts[-1] and version == "2.9":
        parts[-1] = re.sub(rb"(?i)&amp;", b"&", parts[-1])
    protocol, local = protocol.lower(), rest.startswith(b"/")
    return protocol, userinfo(user, password, version), hostport(host, protocol, local, version), *parts


def userinfo(user, password, version):
    coded = [p and encode(url_decode_generic(p), ALNUM + b"!$*+,-.=_~") for p in (user, password)]
    if password is None or (not password and version != "2.6"):
        return coded[0]
    return b":".join(coded)


def hostport(host, protocol, local, version):
    if not host and (version != "2.6" or local):
        return b"localhost:8080"
    if version != "2.6":
        host = re.match(rb"[A-Za-z0-9:.\[\]-]*", url_decode_generic(host))[0]
        host = canonicalise_host(host.lower())
    host = host.lower()
    default = {b"http": 80, b"ftp": 21, b"finger": 79}.get(protocol, 80 if version == "2.6" else None)
    name, port = re.fullmatch(rb"(?s)(\[.*\]|[^:]*)(?::(.*))?", host).groups()
    if port and default and strtoul(port, 10)[0] == default:  # atoi
        host = name
    return canonicalise_host(host) if version == "2.6" else host


def link_url(base, link, version):
    """Make a link of a page absolute."""
    colon, slash = link.find(b":"), link.find(b"/")
    absolute = (b"mailto:", b"javascript:") if version != "2.6" else b"mailto:"
    if 0 <= colon < slash or link.lower().startswith(absolute):
        return link
    protocol, _, host, path, _, arguments = split_url(base, version)
    if link.startswith(b"#") and version != "2.6":
        return protocol + b"://" + host + path + (b"?" + arguments if arguments else b"")
    if link.startswith(b"//"):
        return protocol + b":" + link
    if not link.startswith(b"/"):
        link = canonicalise_name(path[: path.rfind(b"/") + 1] + link) if link or version == "2.6" else path
    return protocol + b"://" + host + link


def wwwoffle(url, base, version):
    url = url.split(b"\0")[0]  # WWWOFFLE is written in C
    if base is not None:
        url = link_url(base, url, version)
    protocol, user, host, path, parameters, arguments = split_url(url, version)
    user = b"" if user is None else user + b"@"
    form = protocol + b"://" + user + host + path
    return form + b"".join(m + p for m, p in ((b";", parameters), (b"?", arguments)) if p)


# SURT


def ipv6(text):
    """Return the eight groups of an IPv6 address, or None."""
    try:
        packed = ipaddress.IPv6Address(text.decode("ascii")).packed
    except ValueError:
        return None
    return [packed[i] << 8 | packed[i + 1] for i in range(0, 16, 2)]


def whatwg_ipv4(host):
    """Return the address of a host that ends in a number, None for other hosts. URL Standard, 3.5"""
    parts = host.removesuffix(b".").split(b".")
    if not re.fullmatch(rb"[0-9]+|0x[0-9a-f]*", parts[-1]):
        return None
    numbers = []
    for part in parts:
        match = re.fullmatch(rb"0x([0-9a-f]*)|0([0-7]*)|([1-9][0-9]*)", part)
        if not match:
            raise ValueError
        text, base = next((t, b) for t, b in zip(match.groups(), (16, 8, 10)) if t is not None)
        numbers.append(int(text or b"0", base))
    if len(parts) > 4 or any(n > 255 for n in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(parts)):
        raise ValueError
    value = numbers[-1] + sum(n << 8 * (3 - i) for i, n in enumerate(numbers[:-1]))
    return b".".join(b"%d" % octet for octet in value.to_bytes(4, "big"))


def whatwg_host(host):
    if host.startswith(b"["):
        groups = ipv6(host[1:-1]) if host.endswith(b"]") and b"%" not in host else None
        if not groups:
            raise ValueError
        text = ":".join(f"{group:x}" for group in groups)
        zeros = max(re.finditer(r"\b0(?::0)+\b", text), key=lambda m: len(m[0]), default=None)
        if zeros:
            text = text[: zeros.start()].rstrip(":") + "::" + text[zeros.end() :].lstrip(":")
        return b"[%s]" % text.encode()
    text = ESCAPE.sub(lambda m: bytes([int(m[1], 16)]), host).decode().lower()
    labels = [l.encode() if l.isascii() else b"xn--" + l.encode("punycode") for l in text.split(".")]
    host = b".".join(labels)
    if not host or re.search(rb"[\0-\x20#/:<>?@\[\\\]^|%\x7f]", host):
        raise ValueError
    return whatwg_ipv4(host) or host


def surt(url, _):
    if not url.startswith((b"http:", b"https:")):
        return url
    try:
        url.decode()
    except ValueError:
        raise Undecided from None
    url = re.sub(rb"^(https?://)www[0-9]*\.", rb"\1", url)
    try:
        return surt_key(url.decode().lower().encode())
    except ValueError:
        return url


def surt_key(url):
    url = re.sub(rb"[\t\n\r]", b"", url.strip(bytes(range(0x21))))
    scheme, _, rest = url.partition(b":")
    rest = rest.split(b"#")[0].lstrip(b"/\\")
    authority, path = re.fullmatch(rb"(?s)([^/\\?]*)(.*)", rest).groups()
    path, query = cut(path, b"?")
    hostport = authority.rpartition(b"@")[2]
    host, port = re.fullmatch(rb"(?s)(\[[^\]]*\]?[^:]*|[^:]*)(?::(.*))?", hostport).groups()
    if port and (not re.fullmatch(rb"[0-9]+", port) or int(port) > 65535):
        raise ValueError
    port = int(port) if port else None
    if port == {b"http": 80, b"https": 443}[scheme]:
        port = None
    segments = []
    names = re.split(rb"[/\\]", path[1:])
    for i, name in enumerate(names):
        dots = name.replace(b"%2e", b".")
        if dots == b"..":
            segments = segments[:-1]
        if dots not in (b".", b".."):
            segments.append(encode(name, set(range(0x21, 0x7F)) - set(b'"<>`{}')))
        elif i == len(names) - 1:
            segments.append(b"")
    key = b",".join(reversed(whatwg_host(host).split(b"."))) + (b":%d" % port if port is not None else b"")
    key += b")/" + b"/".join(segments)
    if query:
        query = encode(query, set(range(0x21, 0x7F)) - set(b"\"<>'"))
        key += b"?" + b"&".join(sorted(query.split(b"&")))
    return key


PROFILES = {
    "pdf": pdf,
    "pdf2": pdf2,
    "wwwoffle29": lambda url, base: wwwoffle(url, base, "2.9"),
    "wwwoffle29e": lambda url, base: wwwoffle(url, base, "2.9e"),
    "wwwoffle26": lambda url, base: wwwoffle(url, base, "2.6"),
    "hyvatti": hyvatti,
    "faehnri": faehnri,
    "surt": surt,
}
