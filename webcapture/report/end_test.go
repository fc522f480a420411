package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// ends lists all values of End.
var ends = []End{Complete, Missing, Interrupted}

// Each format includes the end of its results, and formats that are read back keep it.
func TestFormatsSayHowTheyEnd(t *testing.T) {
	for _, f := range all {
		for _, end := range ends {
			out := rendered(t, f, Options{}, end, &Record{Path: "a.pdf", Err: io.ErrUnexpectedEOF})
			for _, e := range ends[1:] {
				said := strings.Contains(out, e.Reason()) || strings.Contains(out, `"`+e.String()+`"`)
				if said != (e == end) {
					t.Errorf("%s of results that end as %v says %q: %v\n%s", f.Name, end, e.Reason(), said, out)
				}
			}
			if f.Name != "json" && f.Name != "ndjson" {
				continue
			}
			if r, _, err := readAll([]byte(out)); err != io.EOF || r.End() != end {
				t.Errorf("%s that ends as %v is read as one that ends as %v, with %v", f.Name, end, r.End(), err)
			}
		}
	}
}

// Older results without a reason count as interrupted if they are incomplete. The same holds for an unknown reason
// of a later version.
func TestEndWithoutReason(t *testing.T) {
	for _, summary := range []string{`"complete":false`, `"complete":false,"end":"new"`,
		`"complete":false,"end":"complete"`} {
		t.Run(summary, func(t *testing.T) {
			doc := `{"schema":"webcap.audit/1","tool":{},"rules":[],"inputs":[],"summary":{` + summary + `}}`
			if r, _, err := readAll([]byte(doc)); err != io.EOF || r.End() != Interrupted {
				t.Errorf("%s: %v, %v; want %v", summary, r.End(), err, Interrupted)
			}
		})
	}
}

// Missing records can only make an end worse.
func TestEndOfLostRecords(t *testing.T) {
	for end, want := range map[End]End{Complete: Missing, Interrupted: Interrupted} {
		t.Run(fmt.Sprint(end), func(t *testing.T) {
			var b bytes.Buffer
			w := newNDJSON(&b, Options{})
			if err := w.Add(&Record{Path: "a.pdf", Err: io.ErrUnexpectedEOF}); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(end); err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(b.String(), "\n")
			if r, _, err := readAll([]byte(lines[0] + lines[2])); err != io.EOF || r.End() != want {
				t.Errorf("%v, with a record lost: %v, %v; want %v", end, r.End(), err, want)
			}
		})
	}
}
