package show

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
)

// A fullDisk is a writer that fails.
type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// All parts of a name are in both formats, and text for people is escaped.
func TestNameWriters(t *testing.T) {
	id := digest.ID([]byte("\x1b[31m\x00.\\\xff56789ab"))
	const idHex = "1b5b33316d002e5cff35363738396162"
	escaped := `\x1b[31m\0\p\\\xff56789ab`
	for _, row := range []struct {
		name        string
		in          Result
		table, json string
	}{
		{
			"made", &EncodedName{"t\x07", id, []digest.Form{digest.DestinationPrefix, digest.DestinationSuffix}},
			"t\\x07\n  FORM                NAME                            BYTES\n" +
				"  destination-prefix  " + escaped + `t\x07  1b5b33316d5c305c705c5cff353637383961627407` + "\n" +
				"  destination-suffix  t\\x07" + escaped + "  74071b5b33316d5c305c705c5cff35363738396162\n",
			`{"name":{"hex":"7407"},"id":{"hex":"` + idHex +
				`"},"forms":[{"form":"destination-prefix","name":{"hex":"1b5b33316d5c305c705c5cff353637383961627407"}},{"form":"destination-suffix","name":{"hex":"74071b5b33316d5c305c705c5cff35363738396162"}}]}`,
		},
		{
			"taken", &DecodedName{Name: "x\n", Known: true, Ways: []digest.Match{{Original: "", ID: id, Place: digest.Prefix,
				Form: digest.FieldRoot}}},
			"x\\x0a\n  FORM        PLACE   HOW SURE  ID                                ORIGINAL\n  field-root  prefix  known     " + idHex + "\n",
			`{"name":{"hex":"780a"},"ways":[{"form":"field-root","place":"prefix","id":{"hex":"` + idHex +
				`"},"original":{"text":"","hex":""},"howSure":"known"}]}`,
		},
		{
			"no identifier", &DecodedName{Name: ""},
			": no identifier\n",
			`{"name":{"text":"","hex":""},"ways":[]}`,
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
					if err := w.Add(row.in); err != nil {
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

func TestNameWriteErrorsSurface(t *testing.T) {
	w := fullDisk{}
	found := &FileNames{Path: "a.pdf", Names: []FoundName{{}}}
	for name, err := range map[string]error{
		"table, made":   NewText(w, 0).Add(&EncodedName{Forms: digest.Forms()}),
		"table, taken":  NewText(w, 0).Add(&DecodedName{}),
		"JSON, made":    NewJSON(w).Add(&EncodedName{}),
		"JSON, taken":   NewJSON(w).Add(&DecodedName{}),
		"table, found":  NewNamesText(w, 0).Add(found),
		"table, closed": NewNamesText(w, 0).Close(false),
		"JSON, found":   NewNamesJSON(w, "").Add(found),
		"JSON, closed":  NewNamesJSON(w, "").Close(true),
	} {
		t.Run(name, func(t *testing.T) {
			if !errors.Is(err, errFull) {
				t.Errorf("%s: error %v, want %v", name, err, errFull)
			}
		})
	}
}

// The certainty of a way depends on whether identifiers are known, and otherwise on whether the identifier looks
// like a digest.
func TestDecodedNameCertainty(t *testing.T) {
	digested := digest.ID([16]byte{0x6a, 0xff, 0x6f, 0xfd, 0xe1, 0x6c, 0x22, 0xad, 0x17, 0x38, 0x45, 0xd2, 0xaa, 0xd0,
		0xb4, 0x89})
	text := digest.ID([]byte("0123456789abcdef"))
	for i, tt := range []struct {
		known bool
		id    digest.ID
		want  string
	}{{true, text, "known"}, {false, digested, "likely"}, {false, text, "unlikely"}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			n := &DecodedName{Known: tt.known}
			if got := n.certainty(digest.Match{ID: tt.id}); got != tt.want {
				t.Errorf("known: %v, %v: %s, want %s", tt.known, tt.id, got, tt.want)
			}
		})
	}
}
