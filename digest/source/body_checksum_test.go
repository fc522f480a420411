package source

import (
	"crypto/md5"
	"crypto/sha1"
	"encoding/base32"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// sha1Of returns the digest of data as most programs write it.
func sha1Of(data string) string {
	sum := sha1.Sum([]byte(data))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// TestBlockDigest: a block that does not match the digest of its record is read, with a doubt.
func TestBlockDigest(t *testing.T) {
	const body = "the body"
	message := sourcetest.Reply("200 OK", body, "Content-Type: text/html")
	for _, row := range []struct {
		name, record string
		damaged      bool
	}{
		{"right", sourcetest.PageRecord("http://a/", body, "WARC-Block-Digest: "+sha1Of(message)), false},
		{"of something else", sourcetest.PageRecord("http://a/", body, "WARC-Block-Digest: "+sha1Of(body)), true},
		{"of an unknown kind", sourcetest.PageRecord("http://a/", body, "WARC-Block-Digest: xxh3:0123456789abcdef"),
			false},
		{"of what was cut", sourcetest.PageRecord("http://a/", body, "WARC-Block-Digest: "+sha1Of(body),
			"WARC-Truncated: length"), false},
		{"of a resource", sourcetest.WARCRecord("resource", "http://a/", body, "Content-Type: text/html",
			"WARC-Block-Digest: "+sha1Of(body)), false},
		{"of another resource", sourcetest.WARCRecord("resource", "http://a/", body, "Content-Type: text/html",
			"WARC-Block-Digest: "+sha1Of("x")), true},
	} {
		for _, packing := range sourcetest.Packings {
			t.Run(row.name+" "+packing.Name, func(t *testing.T) {
				s := openBytes(t, "a"+packing.Name, packing.Pack([]string{row.record}))
				c := sourcetest.LookupOne(t, s, "http://a/")
				doubt := sourcetest.MustSum(t, c).Doubt
				if sourcetest.MustRead(t, c) != body || strings.Contains(doubt, "the block of the record") != row.damaged {
					t.Errorf("doubt %q", doubt)
				}
			})
		}
	}
}

// TestPayloadDigest: the payload digests of a record, and of a revisit and its original, must each be that of the data
// in one of the forms.
func TestPayloadDigest(t *testing.T) {
	const body = "the body"
	gz := string(sourcetest.Gzip(body))
	message := sourcetest.Reply("200 OK", gz, "Content-Encoding: gzip")
	field := func(data string) []string { return []string{"WARC-Payload-Digest: " + sha1Of(data)} }
	for _, row := range []struct {
		name              string
		original, revisit []string // fields
		agrees            [2]bool
	}{
		{"none", nil, nil, [2]bool{true, true}},
		{"stored", field(gz), field(gz), [2]bool{true, true}},
		{"decoded", field(body), field(body), [2]bool{true, true}},
		{"one of each form", field(gz), field(body), [2]bool{true, false}}, // the digests differ
		{"another original", field("other"), nil, [2]bool{false, false}},
		{"another revisit", nil, field("other"), [2]bool{true, false}},
		{"another revisit of a right original", field(body), field("other"), [2]bool{true, false}},
		{"the same wrong digest", field("other"), field("other"), [2]bool{false, false}},
		{"unknown", []string{"WARC-Payload-Digest: unknown:x"}, nil, [2]bool{true, true}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := openBytes(t, "a.warc", []byte(sourcetest.WARCRecord("response", "http://a/", message,
				append(row.original, "WARC-Date: 2020-01-01T00:00:00Z", "Content-Type: application/http")...)+
				sourcetest.WARCRecord("revisit", "http://a/again", "", append(row.revisit, "WARC-Refers-To-Target-URI: http://a/",
					"WARC-Refers-To-Date: 2020-01-01T00:00:00Z")...)))
			for i, url := range []string{"http://a/", "http://a/again"} {
				c := sourcetest.LookupOne(t, s, url)
				sums := sourcetest.MustSum(t, c)
				if (sums.Doubt == "") != row.agrees[i] || sums.ID[Decoded] != md5.Sum([]byte(body)) {
					t.Errorf("%s: doubt %q", url, sums.Doubt)
				}
			}
		})
	}
}
