package source

import (
	"cmp"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// sha1Of returns the digest of data as most programs write it.
func sha1Of(data string) string {
	sum := sha1.Sum([]byte(data))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// TestBlockDigest: a block that does not match the digest of its record is read, and ends in a Damaged flaw.
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
				data, err := sourcetest.ReadAll(sourcetest.LookupOne(t, s, "http://a/").Bodies[0])
				flaw, _ := errors.AsType[*Flaw](err)
				if string(data) != body || (flaw != nil && flaw.Damaged) != row.damaged || flaw == nil && err != nil {
					t.Errorf("%q, %v", data, err)
				}
			})
		}
	}
}

// TestPayloadDigest: the payload digest of a record is returned but not checked. It also identifies equal data.
func TestPayloadDigest(t *testing.T) {
	const body = "the body"
	payload := "WARC-Payload-Digest: " + sha1Of(body)
	for i, row := range []struct {
		fields        []string
		payload, data string
	}{
		{nil, "", ""},
		{[]string{payload}, sha1Of(body), fmt.Sprintf("%s, %d bytes", sha1Of(body), len(body))},
		{[]string{"WARC-Payload-Digest: unknown:x"}, "", ""},
		{[]string{payload, "WARC-Truncated: time"}, "", ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := openBytes(t, "a.warc", []byte(sourcetest.PageRecord("http://a/", body,
				append(row.fields, "WARC-Record-ID: <urn:1>")...)+
				sourcetest.WARCRecord("revisit", "http://a/again", "", "WARC-Refers-To: <urn:1>")))
			original := sourcetest.LookupOne(t, s, "http://a/")
			for url, data := range map[string]string{"http://a/": row.data,
				"http://a/again": cmp.Or(row.data, original.Where)} {
				if c := sourcetest.LookupOne(t, s, url); string(c.Payload) != row.payload || c.Data != data {
					t.Errorf("%s %q: payload %q, data %q, want %q, %q", url, row.fields, c.Payload, c.Data, row.payload,
						data)
				}
			}
		})
	}
}
