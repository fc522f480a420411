package command

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
)

const (
	knownID   = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
	foreignID = "6aff6ffde16c22ad173845d2aad0b489" // looks like a digest
	orderlyID = "00000000000000000000000000000001" // does not look like one
)

// uniqueName returns the unique name of "top" in a form, as a PDF string.
func uniqueName(t *testing.T, form digest.Form, id string) string {
	t.Helper()
	parsed, err := digest.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteByte('<')
	for _, c := range []byte(form.Name("top", parsed)) {
		const digits = "0123456789abcdef"
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return b.String() + ">"
}

// A name is unique if it has the ID of a content set of the file. An ID that only looks like a digest is foreign. A
// field may have its ID from an ancestor.
func TestFoundNames(t *testing.T) {
	t.Chdir(t.TempDir())
	const set = "5 0 obj << /S /SPS /ID <" + knownID + "> /O [ ] /SI << /AU (http://a.example/) >> >>\n"
	const pages = "catalog: << /Type /Catalog /Pages 1 0 R /Names << /IDS << /Names [ <" + knownID + "> 5 0 R ] >> "
	const rest = "1 0 obj << /Type /Pages /Kids [ ] /Count 0 >>\n" + set
	dest := func(name string) string { return pages + "/Dests << /Names [ " + name + " null ] >> >> >>\n" + rest }
	field := func(fields string) string {
		return pages + ">> /AcroForm << /Fields [ 11 0 R ] >> >>\n" + rest + fields
	}
	known, foreign, orderly := map[digest.Form]string{}, map[digest.Form]string{}, map[digest.Form]string{}
	for _, f := range digest.Forms() {
		known[f], foreign[f], orderly[f] = uniqueName(t, f, knownID), uniqueName(t, f, foreignID), uniqueName(t, f, orderlyID)
	}
	for _, tt := range []struct {
		name, doc      string
		names, foreign int // of one
	}{
		{"suffix", dest(known[digest.DestinationSuffix]), 1, 0},
		{"prefix", dest(known[digest.DestinationPrefix]), 1, 0},
		{"foreign suffix", dest(foreign[digest.DestinationSuffix]), 1, 1},
		{"foreign prefix", dest(foreign[digest.DestinationPrefix]), 1, 1},
		{"bytes that are no digest", dest(orderly[digest.DestinationPrefix]), 0, 0},
		{"text", dest("(a text that is longer than an identifier)"), 0, 0},
		{"field ID", field("11 0 obj << /T " + known[digest.FieldID] + " >>"), 1, 0},
		{"whole field", field("11 0 obj << /T " + known[digest.FieldWhole] + " >>"), 1, 0},
		{"root field", field("11 0 obj << /T " + known[digest.FieldRoot] + " >>"), 1, 0},
		{"foreign field", field("11 0 obj << /T " + foreign[digest.FieldRoot] + " >>"), 1, 1},
		{"a field that is no digest", field("11 0 obj << /T " + orderly[digest.FieldRoot] + " >>"), 0, 0},
		{"plain field", field("11 0 obj << /T (top) >>"), 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			writePDF(t, "a.pdf", tt.doc)
			var out strings.Builder
			code, stderr := run(nil, &out, "name", "find", "-f", "json", "a.pdf")
			foreign := strings.Count(out.String(), `"foreign":true`)
			names := strings.Count(out.String(), `"inFullName":`)
			if (code == exitClean) != (tt.names > 0) || foreign != tt.foreign || names != tt.names {
				t.Errorf("exit %d, %d names, %d foreign, want %d, %d; it says %q\n%s", code, names, foreign, tt.names, tt.foreign,
					stderr, out.String())
			}
		})
	}
	if err := os.Remove("a.pdf"); err != nil {
		t.Fatal(err)
	}
	if code, stderr := run(nil, io.Discard, "name", "find", "a.pdf"); code != exitFailed || stderr == "" {
		t.Errorf("exit %d, it says %q", code, stderr)
	}
}
