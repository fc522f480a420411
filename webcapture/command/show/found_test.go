package show

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

func TestFileNamesOutcome(t *testing.T) {
	name := []FoundName{{}}
	for i, row := range []struct {
		in   FileNames
		want string
	}{
		{FileNames{Names: name}, "found"},
		{FileNames{Total: 1}, "none"},
		{FileNames{Err: ErrNoNames}, "none"},
		{FileNames{Err: fs.ErrNotExist}, "error"},
		{FileNames{Names: name, Unread: []rule.Unread{{}}}, "partial"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := row.in.outcome(); got != row.want {
				t.Errorf("%+v: outcome %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func TestFoundWriters(t *testing.T) {
	files := []*FileNames{
		{Path: "a\x1b\xff.pdf", Total: 3, Names: []FoundName{
			{Of: webcapture.Name{Kind: webcapture.FormField, Name: "f", Full: "x.f", Ref: object.Ref{Num: 7}}, InFull: true,
				Match: digest.Match{Original: "\x1b", Form: digest.FieldID},
				Sets:  []NamedSet{{object.Ref{Num: 5}, webcapture.PageSet}, {Subtype: webcapture.ImageSet}}},
			{Of: webcapture.Name{Name: "<&>"}, Foreign: true},
		}},
		{Path: "b.pdf", Err: &fs.PathError{Op: "open", Path: "b.pdf", Err: fs.ErrNotExist}},
		{Path: "c.pdf", Total: 1, Names: []FoundName{{Of: webcapture.Name{Kind: webcapture.OldDestination, Name: "o"}}},
			Unread: []rule.Unread{{Place: rule.Place{Part: "AcroForm"}, Err: errors.New("bad")}}},
	}
	const zero = "00000000000000000000000000000000"
	table := "a\\x1b\\xff.pdf: 2 of 3 names unique, 1 foreign\n" +
		"  KIND                   FORM                PLACE   ID                                CONTENT SET                ORIGINAL  NAME\n" +
		"  form field, full name  field-id            suffix  " + zero + "  page set 5 0 R, image set  \\x1b      (x.f)\n" +
		"  destination            destination-suffix  suffix  " + zero + "  none: foreign                        (<&>)\n" +
		"\nc.pdf: 1 of 1 name unique\n" +
		"  KIND                    FORM                PLACE   ID                                CONTENT SET              ORIGINAL  NAME\n" +
		"  destination of PDF 1.1  destination-suffix  suffix  " + zero + "  none: only a key of IDS            (o)\n" +
		"\nThe list is incomplete: the search was interrupted.\n"
	const match = `"form":"destination-suffix","place":"suffix","id":{"hex":"` + zero +
		`"},"original":{"text":"","hex":""},"contentSets":[],`
	document := `{"schema":"webcap.names/1","tool":{"name":"webcap","version":"v1"},
"inputs":[
{"path":"a\u001b\ufffd.pdf","pathHex":"611bff2e706466","outcome":"found","total":3,"unread":[],"names":[
{"kind":"form field","object":{"num":7,"gen":0},"name":{"text":"f","hex":"66"},"fullName":{"text":"x.f","hex":"782e66"},"inFullName":true,"form":"field-id","place":"suffix","id":{"hex":"` + zero + `"},"original":{"hex":"1b"},"contentSets":[{"object":{"num":5,"gen":0},"kind":"page set"},{"object":null,"kind":"image set"}],"foreign":false},
{"kind":"destination","name":{"text":"<&>","hex":"3c263e"},"inFullName":false,` + match + `"foreign":true}]},
{"path":"b.pdf","outcome":"error","reason":"file does not exist","total":0,"unread":[],"names":[]},
{"path":"c.pdf","outcome":"partial","total":1,"unread":[{"place":{"text":"AcroForm","part":"AcroForm"},"reason":"bad"}],"names":[
{"kind":"destination of PDF 1.1","name":{"text":"o","hex":"6f"},"inFullName":false,` + match + `"foreign":false}]}
],
"summary":{"inputs":3,"total":4,"names":3,"foreign":1,"complete":false}
}
`
	for i, format := range []struct {
		write func(io.Writer) *NamesWriter
		want  string
	}{
		{func(w io.Writer) *NamesWriter { return NewNamesText(w, 0) }, table},
		{func(w io.Writer) *NamesWriter { return NewNamesJSON(w, "v1") }, document},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var b bytes.Buffer
			w := format.write(&b)
			for _, f := range files {
				if err := w.Add(f); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(false); err != nil {
				t.Fatal(err)
			}
			if got := b.String(); got != format.want {
				t.Errorf("got\n%swant\n%s", got, format.want)
			}
		})
	}
	if !json.Valid([]byte(document)) {
		t.Error("not JSON")
	}
	var b bytes.Buffer
	if err := NewNamesJSON(&b, "v1").Close(true); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("without files: %v, %s", err, b.Bytes())
	}
}

// One long name does not make all lines long.
func TestFoundTableIsBounded(t *testing.T) {
	f := &FileNames{Names: make([]FoundName, 1000)}
	f.Names[0].Match.Original = strings.Repeat("x", 1<<20)
	var b bytes.Buffer
	if err := NewNamesText(&b, 0).Add(f); err != nil || b.Len() > 2<<20 {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
}
