package source

import (
	"cmp"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// sha1Of returns the digest of data as most programs write it.
func sha1Of(data string) string {
	sum := sha1.Sum([]byte(data))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

func TestChecksum(t *testing.T) {
	const data = "the data"
	one, two, five := sha1.Sum([]byte(data)), sha256.Sum256([]byte(data)), md5.Sum([]byte(data))
	for _, good := range []string{
		sha1Of(data),
		"SHA-1: " + strings.ToLower(base32.StdEncoding.EncodeToString(one[:])),
		"sha1:" + hex.EncodeToString(one[:]),
		"sha1:" + base64.StdEncoding.EncodeToString(one[:]),
		"sha256:" + hex.EncodeToString(two[:]),
		"sha-256:" + strings.ToUpper(hex.EncodeToString(two[:])),
		"sha256:" + base32.StdEncoding.EncodeToString(two[:]),
		"sha256:" + base64.RawURLEncoding.EncodeToString(two[:]),
		"md5:" + hex.EncodeToString(five[:]),
		"md5:" + base64.StdEncoding.EncodeToString(five[:]),
		"md5:" + base32.StdEncoding.EncodeToString(five[:]),
	} {
		t.Run(good, func(t *testing.T) {
			for text, want := range map[string]bool{data: true, data + "x": false} {
				check := Checksum(good).New()
				if check == nil {
					t.Errorf("%s cannot be read", good)
					continue
				}
				check.Write([]byte(text))
				if check.Agrees() != want {
					t.Errorf("%s agrees with %q: %v", good, text, !want)
				}
			}
		})
	}
	for _, bad := range []string{"", "sha1:", "sha1", "sha1:ABC", "crc32:01234567", "sha256:" + sha1Of(data)[5:],
		"sha1:" + strings.Repeat("A", 256+1)} {
		t.Run(bad, func(t *testing.T) {
			if Checksum(bad).New() != nil {
				t.Errorf("%.50q can be checked", bad)
			}
		})
	}
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

// TestBlockDigestOfCodedBody: for a damaged gzip body, the flaw reports the damage, not the coding.
func TestBlockDigestOfCodedBody(t *testing.T) {
	coded := string(sourcetest.Gzip("the body"))
	message := sourcetest.Reply("200 OK", coded, "Content-Encoding: gzip")
	digest := sha1Of(message)
	record := sourcetest.WARCRecord("response", "http://a/", message[:len(message)-6]+"?"+message[len(message)-5:],
		"Content-Type: application/http", "WARC-Block-Digest: "+digest)
	for _, b := range sourcetest.LookupOne(t, openBytes(t, "a.warc", []byte(record)), "http://a/").Bodies {
		_, err := sourcetest.ReadAll(b)
		if flaw, _ := errors.AsType[*Flaw](err); flaw == nil || !flaw.Damaged {
			t.Errorf("%s: %v", b.Form, err)
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
