package show

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
)

// All parts of a result are in both formats, and none can move the cursor of a terminal.
func TestDigestResult(t *testing.T) {
	one, two := digest.ID([]byte("1111111111111111")), digest.ID([]byte("2222222222222222"))
	h1, h2 := one.String(), two.String()
	everything := Digest{URL: "a", Where: "b", ID: one, Reading: "images, raw",
		Others: []DigestReading{{"source alone", two}}}
	everything.Explain(
		[]page.Piece{{Where: "a", ID: two, Bytes: 1234567}, {URL: "u:\x1b", Where: "w\x1b", Kind: page.Image, ID: one,
			Bytes: 16}, {URL: "v", Kind: page.Script, ID: one, Bytes: 16}},
		[]page.Reference{{URL: "m\x1b", Kind: page.Frame}},
	)
	for _, row := range []struct {
		name        string
		in          Digest
		table, json string
	}{
		{
			"of a URL in a source",
			Digest{URL: "u:\x1b", Where: "w\x1b", ID: one, Reading: "the file itself"},
			h1 + "  u:\\x1b\n  in w\\x1b\n  by the reading: the file itself\n",
			`{"url":{"hex":"753a1b"},"where":{"hex":"771b"},"digest":"` + h1 + `","reading":"the file itself"}`,
		},
		{
			"everything",
			everything,
			h1 + "  a\n  in b\n  by the reading: images, raw\n" +
				"  DIGEST                            BYTES    KIND    URL, WHERE FOUND\n" +
				"  " + h2 + "  1234567  source  a\n" +
				"  " + h1 + "  16       image   u:\\x1b, w\\x1b\n" +
				"  " + h1 + "  16       script  v\n" +
				"  not found: frame m\\x1b\n" +
				"  other readings:\n    " + h2 + "  source alone\n",
			`{"url":{"text":"a","hex":"61"},"where":{"text":"b","hex":"62"},` +
				`"digest":"` + h1 + `","reading":"images, raw","pieces":[` +
				`{"kind":"source","where":{"text":"a","hex":"61"},"digest":"` + h2 + `","bytes":1234567},` +
				`{"kind":"image","url":{"hex":"753a1b"},"where":{"hex":"771b"},"digest":"` + h1 + `","bytes":16},` +
				`{"kind":"script","url":{"text":"v","hex":"76"},"digest":"` + h1 + `","bytes":16}],` +
				`"missing":[{"kind":"frame","url":{"hex":"6d1b"}}],"otherReadings":[{"reading":"source alone","digest":"` + h2 +
				`"}]}`,
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
				for range 2 {
					if err := w.Add(&row.in); err != nil {
						t.Fatal(err)
					}
				}
				if want := strings.Repeat(format.want, 2); b.String() != want {
					t.Errorf("output\n%swant\n%s", b.String(), want)
				}
			}
		})
	}
}
