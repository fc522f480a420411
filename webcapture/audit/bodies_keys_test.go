package audit_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestSourceKeys: URIs of every scheme that names data are looked up, and a capture of an alike URL can verify an ID.
func TestSourceKeys(t *testing.T) {
	const text = "Content-Type: text/plain\r\n"
	for _, row := range []struct {
		key, kind, uri string
		sure           storage
	}{
		{"file:///D:/site/a.txt", "resource", "file:///D:/site/a.txt", exact},
		{"urn:X-site:a", "resource", "urn:X-site:a", exact},
		{"urn:X-site:a", "metadata", "urn:X-site:a", lost},
		{"gopher://h.org/0/a.txt", "resource", "gopher://h.org/0/a.txt", exact},
		{"data:,a", "resource", "data:,a", exact},
		{"http://h.org/a.txt", "metadata", "http://h.org/a.txt", lost},
		{"dns:h.org", "resource", "dns:h.org", lost},
		{"http://h.org/%28x%29", "resource", "http://h.org/(x)", vague},
		{"http://h.org/(x)", "resource", "http://h.org/%28x%29", vague},
		{"http://h.org:81/a.txt", "resource", "https://h.org:81/a.txt", vague},
		{"http://h.org/a.txt", "resource", "https://web.archive.org/web/20260201100000id_/http://h.org/a.txt", vague},
		{"http://h.org/a.txt", "resource", "https://web.archive.org/web/20260201100000/http://h.org/a.txt", vague},
		{"http://h.org/a.txt", "resource", "https://web.archive.org/web/20260201100000id_/http://h.org/b.txt", lost},
	} {
		t.Run(fmt.Sprintf("%s of %s as %s", row.key, row.kind, row.uri), func(t *testing.T) {
			pdf := imagePDF(strings.NewReplacer("(", `\(`, ")", `\)`).Replace(row.key), capturedText)
			for same, body := range map[bool][]byte{true: capturedText, false: otherText} {
				record := bytes.Replace(warcOf(row.kind, text, body), []byte(bodyURL), []byte(row.uri), 1)
				c := bodyCase{file: "a.warc", data: record}
				if got, want := verdictOf(t, pdf, c), row.sure.want(same); got.Proof != want {
					t.Errorf("%v: %s, want %v", got.Proof, got.Reason, want)
				}
			}
		})
	}
}

// folderOf matches the folder of a source of a test.
var folderOf = regexp.MustCompile(`\S*[/\\]`)

// TestIdentityEvidence: if an ID is verified or differs, the evidence describes the capture. If it cannot be checked,
// the reason names the skipped records.
func TestIdentityEvidence(t *testing.T) {
	at := func(date string, record []byte) []byte {
		return bytes.Replace(record, []byte("2026-02-01"), []byte(date), 1)
	}
	reply := func(status string, body []byte) []byte {
		return warcOf("response", httpType, httpReply(status, "", body))
	}
	for _, row := range []struct {
		name     string
		records  [][]byte
		proof    rule.Proof
		evidence string // or the reason
	}{
		{"verified by the second of three", [][]byte{
			at("2026-01-31", reply("200 OK", otherText)), at("2026-02-01", reply("200 OK", capturedText)),
			at("2026-02-03", reply("200 OK", []byte("x")))}, rule.Verified,
			"response record of 2026-02-01T10:00:00Z with status 200, 2 captures tried, " +
				"expected <6bb9712abc6c5737f892b31a0e59e763>, MD5 of the file <6bb9712abc6c5737f892b31a0e59e763>"},
		{"two that differ", [][]byte{at("2026-02-01", reply("200 OK", otherText)), at("2026-02-02", reply("200 OK",
			[]byte("x")))},
			rule.Mismatch, "response record of 2026-02-01T10:00:00Z with status 200, 2 captures tried, " +
				"expected <6bb9712abc6c5737f892b31a0e59e763>, MD5 of the file <5312b080082c58a5c90a0431f4a98344>"},
		{"none is of use", [][]byte{reply("206 Partial Content", otherText[:9]), reply("304 Not Modified", nil),
			reply("206 Partial Content", otherText[:9])}, rule.NotCheckable,
			"no source has usable data of the URL: a.warc, byte 0: a part of a file (status 206)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := verdictOf(t, bodyPDF(capturedText), bodyCase{file: "a.warc", data: bytes.Join(row.records, nil)})
			say := got.Evidence()
			if got.Proof == rule.NotCheckable {
				say = folderOf.ReplaceAllString(got.Reason, "")
			}
			if got.Proof != row.proof || say != row.evidence {
				t.Errorf("%v: %s, want %v: %s", got.Proof, say, row.proof, row.evidence)
			}
		})
	}
}

// TestPageEvidence: the identifier of a page is computed from several files, and the evidence also has the MD5 of the
// page alone.
func TestPageEvidence(t *testing.T) {
	pdf, err := os.ReadFile("../../testdata/capture.pdf")
	if err != nil {
		t.Fatal(err)
	}
	records, err := os.ReadFile("../../testdata/capture.warc")
	if err != nil {
		t.Fatal(err)
	}
	const want = "response record of 2024-01-02T10:00:00Z with status 200, 1 capture tried, " +
		"expected <e1cded36e03757a1ff0d4fb0520c6159>, computed identifier <e1cded36e03757a1ff0d4fb0520c6159>, " +
		"MD5 of the page alone <8f05675ac7c5fe0b3c33258a225cc49a>"
	for _, id := range verdictsOf(t, pdf, bodyCase{file: "a.warc", data: records}) {
		if id.URL == "http://www.example.com/" && id.Evidence() != want {
			t.Errorf("%s, want %s", id.Evidence(), want)
		}
	}
}
