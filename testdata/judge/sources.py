"""sources writes WARC files with what the URLs of a capture return."""

import uuid


def warc(replies, redirects):
    """Return a WARC file with the replies {URL: (type, body)} and the redirects {URL: URL}."""
    records = [record("http://unrelated.example.com/", "200 OK", b"Content-Type: text/plain\r\n", b"unrelated")]
    for url, (kind, body) in replies.items():
        records.append(record(url, "200 OK", b"Content-Type: " + kind.encode() + b"\r\n", body))
    for url, target in redirects.items():
        records.append(record(url, "302 Found", b"Location: " + target.encode() + b"\r\n", b""))
    return b"".join(records)


def record(url, status, header, body):
    reply = b"HTTP/1.1 " + status.encode() + b"\r\n" + header + b"Content-Length: %d\r\n\r\n" % len(body) + body
    head = [
        "WARC/1.0",
        "WARC-Type: response",
        "WARC-Target-URI: " + url,
        "WARC-Date: 2001-05-13T14:03:31Z",
        f"WARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url)}>",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(reply)}",
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + reply + b"\r\n\r\n"
