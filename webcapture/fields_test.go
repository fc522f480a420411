package webcapture_test

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// arlingtonNames maps the Arlington PDF model's names of the dictionaries to the tables.
var arlingtonNames = map[string]struct {
	table []webcapture.Field
	of    webcapture.Subtype // the model has a dictionary for each kind of content set
}{
	"WebCapturePageSet":         {webcapture.ContentSetTable, webcapture.PageSet},
	"WebCaptureImageSet":        {webcapture.ContentSetTable, webcapture.ImageSet},
	"SourceInformation":         {webcapture.SourceTable, webcapture.NoSubtype},
	"URLAlias":                  {webcapture.AliasTable, webcapture.NoSubtype},
	"WebCaptureCommand":         {webcapture.CommandTable, webcapture.NoSubtype},
	"WebCaptureCommandSettings": {webcapture.SettingsTable, webcapture.NoSubtype},
	"WebCaptureInfo":            {webcapture.InfoTable, webcapture.NoSubtype},
}

// arlingtonTypes maps the names in testdata/arlington.tsv to the types. A string without further type is bytes: no
// encoding is required.
var arlingtonTypes = map[string]webcapture.Type{
	"ascii": webcapture.ASCIIString, "bytes": webcapture.ByteString, "string": webcapture.ByteString,
	"text": webcapture.TextString, "date": webcapture.DateString,
	"name": webcapture.NameObject, "integer": webcapture.IntegerNumber, "number": webcapture.AnyNumber,
	"array":      webcapture.ArrayObject,
	"dictionary": webcapture.DictionaryObject, "stream": webcapture.StreamObject,
}

// disagreements lists the entries on which the tables and the model differ, with the reason for our version.
var disagreements = map[string]string{
	"WebCaptureImageSet CT": "table 388 has CT for both kinds of sets, as an ASCII string; the model has that for page sets only",
}

// TestTablesAgreeWithArlington compares the tables with the Arlington PDF model.
func TestTablesAgreeWithArlington(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range webcapturetest.Rows(t, "../testdata/arlington.tsv") {
		name := row[0] + " " + row[1]
		seen[name] = true
		want := webcapture.Field{Key: row[1], Required: row[3] == "required", Indirect: row[4] == "indirect"}
		for word := range strings.SplitSeq(row[2], " or ") {
			if arlingtonTypes[word] == 0 {
				t.Errorf("%s: type %q is not known", name, word)
			}
			want.Types |= arlingtonTypes[word]
		}
		got, ok := fieldOf(row[0], row[1])
		got = webcapture.Field{Key: got.Key, Types: got.Types, Required: got.Required, Indirect: got.Indirect}
		why, differs := disagreements[name]
		switch {
		case !ok:
			t.Errorf("%s is in no table", name)
		case !differs && got != want:
			t.Errorf("%s: the table has %+v, the model %+v", name, got, want)
		case differs && got == want:
			t.Errorf("%s: table and model agree, but are said not to: %s", name, why)
		}
	}
	for name := range disagreements {
		if !seen[name] {
			t.Errorf("%s is not in the model", name)
		}
	}
	for name, d := range arlingtonNames {
		for _, f := range d.table {
			if _, ok := fieldOf(name, f.Key); ok && !seen[name+" "+f.Key] {
				t.Errorf("%s %s is in the table, but not in the model", name, f.Key)
			}
		}
	}
}

// fieldOf returns a field by the model's name of its dictionary.
func fieldOf(dictionary, key string) (webcapture.Field, bool) {
	d := arlingtonNames[dictionary]
	for _, f := range d.table {
		if f.Key == key && (f.Only == webcapture.NoSubtype || d.of == webcapture.NoSubtype || f.Only == d.of) {
			return f, true
		}
	}
	return webcapture.Field{}, false
}

// allEntries is a content set with all possible entries.
const allEntries = `names: << /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >> >>
5 0 obj << /Type /SpiderContentSet /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 6 0 R ] /SI 7 0 R
	/CT (text/html) /TS (D:2008) /T (A page) /TID (0123456789abcdef) /R 0 >>
6 0 obj << /Type /Page >>
7 0 obj << /AU << /U (http://a.example/) /C [ [ (http://b.example/) ] ] >> /TS (D:2008) /E (D:2030) /S 1 /C 8 0 R >>
8 0 obj << /URL (http://a.example/) >>
`

// TestEntriesAreThoseOfTheTables checks that Entry supports the keys of the tables.
func TestEntriesAreThoseOfTheTables(t *testing.T) {
	f := open(t, allEntries, webcapturetest.Layout{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	var cs webcapture.ContentSet
	if err := f.NewReader().Read(db.IDS.Entry(0).Value, &cs); err != nil {
		t.Fatal(err)
	}
	source := &cs.Sources[0]
	for _, d := range []struct {
		name  string
		table []webcapture.Field
		entry func(string) bool // reports whether the entry exists
	}{
		{"content set", webcapture.ContentSetTable, func(key string) bool { return !cs.Entry(key).IsNull() }},
		{"source", webcapture.SourceTable, func(key string) bool { return !source.Entry(key).IsNull() }},
		{"alias", webcapture.AliasTable, func(key string) bool { return !source.Alias.Entry(key).IsNull() }},
	} {
		t.Run(d.name, func(t *testing.T) {
			for _, f := range d.table {
				if !d.entry(f.Key) {
					t.Errorf("%s: no entry %s", d.name, f.Key)
				}
			}
			if d.entry("Other") {
				t.Errorf("%s: an entry that is in no table", d.name)
			}
		})
	}
}
