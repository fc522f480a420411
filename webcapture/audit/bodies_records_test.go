package audit_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"testing"
)

// recordCases are bodies in records of all kinds.
func recordCases(same bool, text []byte) (list []bodyCase) {
	add := func(name, file string, sure storage, data ...[]byte) {
		list = append(list, bodyCase{name, file, bytes.Join(data, nil), same, sure})
	}
	good := httpReply("200 OK", "", text)
	sha := func(b []byte) string {
		sum := sha1.Sum(b)
		return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
	}
	const refers = "WARC-Refers-To-Target-URI: http://h/elsewhere\r\nWARC-Refers-To-Date: 2026-02-01T10:00:00Z\r\n"
	const profile = "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n"
	elsewhere := func(record []byte) []byte {
		return bytes.Replace(record, []byte(bodyURL), []byte("http://h/elsewhere"), 1)
	}
	add("resource", "a.warc", exact, warcOf("resource", "Content-Type: text/plain\r\n", text))
	add("resource without a type", "a.warc", exact, warcOf("resource", "", text))
	add("resource with a header in its block", "a.warc", lost, warcOf("resource", "Content-Type: text/plain\r\n", good))
	add("response without a type", "a.warc", exact, warcOf("response", "", good))
	add("response 404", "a.warc", vague, warcOf("response", httpType, httpReply("404 Not Found", "", text)))
	add("response 503", "a.warc", vague, warcOf("response", httpType, httpReply("503 Not now", "", text)))
	add("after 100 Continue", "a.warc", exact,
		warcOf("response", httpType, append([]byte("HTTP/1.1 100 Continue\r\n\r\n"), good...)))
	add("after a reply to CONNECT", "a.warc", lost,
		warcOf("response", httpType, append([]byte("HTTP/1.1 200 Connection established\r\n\r\n"), good...)))
	add("truncated", "a.warc", vague, warcOf("response", httpType+"WARC-Truncated: length\r\n", good))
	add("its digests", "a.warc", exact, warcOf("response", httpType+"WARC-Block-Digest: "+sha(good)+"\r\nWARC-Payload-Digest: "+
		sha(text)+"\r\n", good))
	add("another block digest", "a.warc", vague, warcOf("response", httpType+"WARC-Block-Digest: "+sha([]byte("x"))+"\r\n", good))
	add("another payload digest", "a.warc", vague,
		warcOf("response", httpType+"WARC-Payload-Digest: "+sha([]byte("x"))+"\r\n", good))
	original := elsewhere(warcOf("response", httpType+"WARC-Payload-Digest: "+sha(text)+"\r\n", good))
	digests := map[string]string{"no": "", "an equal": "WARC-Payload-Digest: " + sha(text) + "\r\n",
		"another": "WARC-Payload-Digest: " + sha([]byte("x")) + "\r\n"}
	for own, ownDigest := range digests {
		for its, digest := range digests {
			sure := exact
			if own == "another" || its == "another" {
				sure = vague
			}
			add("revisit with "+own+" digest of an original with "+its+" digest", "a.warc", sure,
				elsewhere(warcOf("response", httpType+digest, good)),
				warcOf("revisit", httpType+profile+refers+ownDigest, httpReply("200 OK", "", nil)))
		}
	}
	add("revisit of an unknown profile", "a.warc", vague, original,
		warcOf("revisit", httpType+"WARC-Profile: http://h/profile\r\n"+refers, httpReply("200 OK", "", nil)))
	add("revisit of a revisit", "a.warc", exact, original,
		elsewhere(warcOf("revisit", httpType+profile+digests["an equal"], httpReply("200 OK", "", nil))),
		warcOf("revisit", httpType+profile+digests["an equal"], httpReply("200 OK", "", nil)))
	add("revisit without the original", "a.warc", lost,
		warcOf("revisit", httpType+profile, httpReply("200 OK", "", nil)))
	add("part of a file", "a.warc", lost, warcOf("response", httpType, httpReply("206 Partial Content", "", text[:50])))
	whole := func(size int) []byte {
		fields := fmt.Sprintf("Content-Range: bytes 0-%d/%d\r\n", size-1, size)
		return warcOf("response", httpType, httpReply("206 Partial Content", fields, text))
	}
	add("a part that is all", "a.warc", exact, whole(len(text)))
	add("a part that is all, in capital letters", "a.warc", exact, bytes.Replace(whole(len(text)), []byte("bytes 0"), []byte("BYTES 0"), 1))
	add("a part that says it is all, and is not", "a.warc", lost, whole(len(text)+1))
	add("a redirect to a page that is missing", "a.warc", vague, warcOf("response", httpType, good),
		warcOf("response", httpType, httpReply("301 Moved", "Location: http://h/new\r\n", nil)))
	add("a redirect to an image that is damaged", "a.warc", vague, warcOf("response", httpType, good),
		warcOf("response", httpType, httpReply("301 Moved", "Location: http://h/elsewhere\r\n", nil)),
		elsewhere(warcOf("response", httpType, httpReply("206 Partial Content", "", text[:50]))))
	add("a segment without the others", "a.warc", lost, warcOf("response", httpType+"WARC-Segment-Number: 1\r\n", good[:200]))
	add("a segment before", "a.warc", vague,
		warcOf("response", httpType+"WARC-Segment-Number: 1\r\n", good[:200]), warcOf("response", httpType, good))
	add("ARC, one byte too long", "a.arc", lost, arcOf(good, 1))
	add("ARC, one byte too short", "a.arc", lost, arcOf(good, -1))
	var noise []byte // so that the header of the record is whole
	for i := range 99 {
		sum := sha1.Sum(append(text, byte(i)))
		noise = fmt.Appendf(noise, "%x", sum)
	}
	cut := asGzip(warcOf("response", httpType, httpReply("200 OK", "", noise)))
	add("a capture that cannot be read before", "a.warc.gz", vague, spoiledMember(cut), asGzip(warcOf("response", httpType, good)))
	add("a capture that cannot be read after", "a.warc.gz", vague, asGzip(warcOf("response", httpType, good)), spoiledMember(cut))
	add("a capture that is cut off before", "a.warc", vague,
		warcOf("response", httpType, httpReply("200 OK", "Content-Length: 99999\r\n", []byte("x"))), warcOf("response", httpType, good))
	empty := func(status, fields string) []byte {
		return warcOf("response", httpType, httpReply(status, fields, nil))
	}
	add("no content", "a.warc", lost, empty("204 No Content", "Content-Length: 0\r\n"))
	next := bytes.Replace(warcOf("response", httpType, httpReply("200 OK", "", noise)), []byte(bodyURL), []byte("http://h/next"), 1)
	off := func(kind, fields string, block []byte, by int) []byte { // with a length that is off by some bytes
		return bytes.Replace(warcOf(kind, fields, block), fmt.Appendf(nil, "\r\nContent-Length: %d\r\n\r\n", len(block)),
			fmt.Appendf(nil, "\r\nContent-Length: %d\r\n\r\n", len(block)+by), 1)
	}
	add("its length, and another record", "a.warc", exact, warcOf("response", httpType, good), next)
	for _, by := range []int{2, 4} {
		add(fmt.Sprintf("length off by %d", by), "a.warc", lost, off("response", httpType, good, by), next)
		add(fmt.Sprintf("length off by %d at the end", by), "a.warc", lost, off("response", httpType, good, by))
		add(fmt.Sprintf("resource of a length off by %d", by), "a.warc", lost, off("resource", "", text, by), next)
	}
	add("one end of a line", "a.warc", vague, bytes.TrimSuffix(warcOf("resource", "", text), []byte("\r\n")), next)
	add("three ends of lines", "a.warc", vague, warcOf("resource", "", text), []byte("\r\n"), next)
	add("ends of lines before the status line", "a.warc", lost, warcOf("response", httpType, append([]byte("\r\n"), good...)))
	add("no status line", "a.warc", lost,
		warcOf("response", httpType, append([]byte("Content-Type: text/plain\r\n\r\n"), text...)))
	add("no header", "a.warc", vague, warcOf("response", httpType, text))
	add("half of a header", "a.warc", lost, warcOf("response", httpType, []byte("HTTP/1.1 200 OK\r\nContent-Type: te")))
	stream := append([]byte("ICY 200 OK\r\nContent-Type: text/plain\r\n\r\n"), text...)
	add("a status line of a stream", "a.warc", exact, warcOf("response", httpType, stream))
	add("a status line of a stream", "a.arc", lost, arcOf(stream, 0))
	add("a status line after a byte order mark", "a.arc", lost, arcOf(append([]byte("\xef\xbb\xbf"), good...), 0))
	add("an empty body", "a.warc", lost, empty("200 OK", ""))
	add("an empty body before", "a.warc", vague, empty("200 OK", ""), warcOf("response", httpType, good))
	add("an empty resource", "a.warc", lost, warcOf("resource", "", nil))
	add("a capture that was truncated before", "a.warc", vague,
		warcOf("response", httpType+"WARC-Truncated: length\r\n", httpReply("200 OK", "", noise)), warcOf("response", httpType, good))
	add("a part of a file before", "a.warc", vague,
		warcOf("response", httpType, httpReply("206 Partial Content", "", text[:50])), warcOf("response", httpType, good))
	add("a reply without the file before", "a.warc", vague,
		warcOf("response", httpType, httpReply("304 Not Modified", "", nil)), warcOf("response", httpType, good))
	add("a reply to POST before", "a.warc", vague,
		warcOf("request", "WARC-Record-ID: <urn:uuid:3>\r\n", []byte("POST / HTTP/1.1\r\n\r\n")),
		warcOf("response", httpType+"WARC-Concurrent-To: <urn:uuid:3>\r\n", httpReply("200 OK", "", noise)),
		warcOf("response", httpType, good))
	add("only a reply to POST", "a.warc", vague,
		warcOf("request", "WARC-Record-ID: <urn:uuid:3>\r\n", []byte("POST / HTTP/1.1\r\n\r\n")),
		warcOf("response", httpType+"WARC-Concurrent-To: <urn:uuid:3>\r\n", good))
	for _, method := range []string{"PROPFIND", "REPORT", "HEAD", "M-SEARCH"} {
		add("only a reply to "+method, "a.warc", vague,
			warcOf("request", "WARC-Record-ID: <urn:uuid:3>\r\n", []byte(method+" / HTTP/1.1\r\n\r\n")),
			warcOf("response", httpType+"WARC-Concurrent-To: <urn:uuid:3>\r\n", good))
	}
	add("a difference", "a.warc", vague, warcOf("response", httpType, httpReply("226 IM Used", "IM: vcdiff\r\n", text)))
	add("a range without the status of a part", "a.warc", vague, warcOf("response", httpType,
		httpReply("200 OK", fmt.Sprintf("Content-Range: bytes 5-%d/9999\r\n", 4+len(text)), text)))
	add("a length beyond all numbers", "a.warc", vague,
		warcOf("response", httpType, httpReply("200 OK", "Content-Length: 99999999999999999999\r\n", text)))
	add("an empty file before", "a.warc", exact, empty("200 OK", "Content-Length: 0\r\n"), warcOf("response", httpType, good))
	add("an error before", "a.warc", vague,
		warcOf("response", httpType, httpReply("500 Oops", "", []byte("x"))), warcOf("response", httpType, good))
	return list
}

// spoiledMember returns a gzip member with an octet changed in its middle.
func spoiledMember(member []byte) []byte { return spoiled(member, len(member)/2) }

func TestStoredRecords(t *testing.T) { testBodies(t, bodyPDF(capturedText), recordCases) }
