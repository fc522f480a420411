package show

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/canon"
)

// asText returns a Writer of text that does not break lines.
func asText(w io.Writer) *Writer { return NewText(w, 0) }

// Each part of a result is in both forms.
func TestCanonResult(t *testing.T) {
	skipped := []canon.Step{{Letter: 'b', Title: "cut"}, {Letter: 'g', Title: "resolve"}}
	change := canon.Change{Step: canon.Step{Letter: 'c', Title: "lower-case the scheme", Clause: "1.2 c"},
		Before: "A:\x1b", After: "a:\x1b"}
	explained := func(r CanonResult, changes []canon.Change, d *canon.Diagnosis) CanonResult {
		r.Explained = true
		r.Explain(changes, d)
		return r
	}
	for _, row := range []struct {
		name        string
		in          CanonResult
		table, json string
	}{
		{
			"explanation",
			explained(CanonResult{URL: "A:\x1b", Canonical: "a:\x1b", Profile: "pdf", Changed: true},
				[]canon.Change{change}, nil),
			"A:\\x1b\n  c  lower-case the scheme\n     before  A:\\x1b\n     after   a:\\x1b\n     clause  1.2 c\n  canonical, by pdf: a:\\x1b\n",
			`{"url":{"hex":"413a1b"},"profile":"pdf","canonical":{"hex":"613a1b"},"changed":true,"steps":[{"step":"c","title":"lower-case the scheme","clause":"1.2 c","before":{"hex":"413a1b"},"after":{"hex":"613a1b"}}]}`,
		},
		{
			"form of another profile",
			explained(CanonResult{URL: "a", Canonical: "a", Profile: "pdf", Changed: false}, nil,
				&canon.Diagnosis{Profile: canon.PDF2, Skipped: skipped}),
			"a\n  already canonical by profile pdf2, which omits steps of pdf: b, g\n  canonical already, by pdf\n",
			`{"url":{"text":"a","hex":"61"},"profile":"pdf","canonical":{"text":"a","hex":"61"},"changed":false,"steps":[],"formOf":{"profile":"pdf2","skipped":["b","g"]}}`,
		},
		{
			"form of no profile, relative",
			explained(CanonResult{URL: "a#", Canonical: "a", Profile: "pdf", Changed: true, Relative: true}, nil,
				&canon.Diagnosis{Skipped: skipped}),
			"a#\n  relative, and without a base it stays so: a\n",
			`{"url":{"text":"a#","hex":"6123"},"profile":"pdf","canonical":{"text":"a","hex":"61"},"changed":true,"relative":true,"steps":[]}`,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, format := range []struct {
				write func(io.Writer) *Writer
				want  string
			}{
				{asText, row.table},
				{NewJSON, row.json + "\n"},
			} {
				var b bytes.Buffer
				w := format.write(&b)
				for range 2 { // no result affects the next one
					if err := w.Add(&row.in); err != nil {
						t.Fatal(err)
					}
				}
				if got, want := b.String(), strings.Repeat(format.want, 2); got != want {
					t.Errorf("got\n%swant\n%s", got, want)
				}
			}
			if !json.Valid([]byte(row.json)) {
				t.Errorf("not JSON: %s", row.json)
			}
		})
	}
}
