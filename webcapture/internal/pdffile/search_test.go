package pdffile

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// TestWhatIsSaidOfSearchedFiles: a search finds the newest version of each object, and Unread says what may be
// missing.
func TestWhatIsSaidOfSearchedFiles(t *testing.T) {
	const catalog = "1 0 obj\n<</Type/Catalog>>\nendobj\n"
	const newer = "7 0 obj\n<</Type/Catalog/Newer 1>>\nendobj\n"
	const end = "%%EOF\n"
	for name, test := range map[string]struct {
		file    string
		root    string
		object2 string // object 2 as text, or its error
		unread  string
	}{
		"the last of several": {catalog +
			"2 0 obj\n(a)\nendobj\n2 0 obj\n(b)\nendobj\ntrailer\n<</Root 1 0 R>>\n" + end, "1 0 R", "(b)", ""},
		"words that begin nothing": {"objobj\n" + catalog + "2 0 obj\n(a)\nendobj\ntrailer\n<</Root 1 0 R>>\n" + end,
			"1 0 R", "(a)", ""},
		"the last trailer": {catalog + newer +
			"2 0 obj\n(a)\nendobj\ntrailer\n<</Root 1 0 R>>\ntrailer\n<</Root 7 0 R>>\n" + end, "7 0 R", "(a)", ""},
		"a trailer without Root": {catalog + newer +
			"2 0 obj\n(a)\nendobj\ntrailer\n<</Root 1 0 R>>\ntrailer\n<</Size 9>>\n" + end, "1 0 R", "(a)", ""},
		"a trailer that is broken": {catalog + newer +
			"2 0 obj\n(a)\nendobj\ntrailer\n<</Root 1 0 R>>\ntrailer\n<</Root ]>>\n" + end, "1 0 R", "(a)", ""},
		"a stream after the trailer": {catalog + newer +
			"trailer\n<</Root 1 0 R>>\n2 0 obj\n<</Type/XRef/Root 7 0 R/Length 0>>\nstream\n\nendstream\nendobj\n" +
			end, "7 0 R", "<</Type/XRef", ""},
		"a stream before it": {"2 0 obj\n<</Type/XRef/Root 7 0 R/Length 0>>\nstream\n\nendstream\nendobj\n" +
			catalog + newer + "trailer\n<</Root 1 0 R>>\n" + end, "1 0 R", "<</Type/XRef", ""},
		"a stream without Root": {catalog + newer +
			"trailer\n<</Root 1 0 R>>\n2 0 obj\n<</Type/XRef/Length 0>>\nstream\n\nendstream\nendobj\n" + end, "1 0 R",
			"<</Type/XRef", ""},
		"a stream of another type": {catalog + newer +
			"trailer\n<</Root 1 0 R>>\n2 0 obj\n<</Type/XRof/X/XRef/Root 7 0 R/Length 0>>\nstream\n\nendstream\nendobj\n" + end, "1 0 R", "<</Type/XRof", ""},
		"a stream whose type is beyond the searched part": {catalog + newer + "2 0 obj\n<</Index[" +
			strings.Repeat("1 1 ", 150) + "]/Root 1 0 R/Type/XRef/Length 0>>\nstream\n\nendstream\nendobj\n" + end, "7 0 R",
			"<</Index", ""},
		"no trailer":               {catalog + newer + "2 0 obj\n(a)\nendobj\n" + end, "7 0 R", "(a)", ""},
		"no trailer, numbers down": {newer + catalog + "2 0 obj\n(a)\nendobj\n" + end, "1 0 R", "(a)", ""},
		"no trailer, and a stream": {catalog + "2 0 obj\n<</Type/Catalog/Length 0>>\nstream\n\nendstream\nendobj\n" +
			end, "1 0 R", "<</Type/Catalog", ""},
		"Root is not there": {catalog + newer + "2 0 obj\n(a)\nendobj\ntrailer\n<</Root 9 0 R>>\n" + end,
			"7 0 R", "(a)", "the catalog cannot be read: object 9 0: " + whyLost[unknown] + "; webcap uses 7 0 R, the last " +
				"readable catalog"},
		"Root is a string": {catalog + "2 0 obj\n(a)\nendobj\ntrailer\n<</Root 2 0 R>>\n" + end, "1 0 R",
			"(a)", "the trailer's Root is of the type string, not a dictionary; webcap uses 1 0 R, the last " +
				"readable catalog"},
		"the end is missing": {catalog + "trailer\n<</Root 1 0 R>>\n2 0 obj\n(a)\nendobj\n", "1 0 R", "(a)",
			"cut off after 85 bytes; the missing part is unknown"},
		"the end marker is missing": {catalog + "2 0 obj\n(a)\nendobj\ntrailer\n<</Root 1 0 R>>\n", "1 0 R", "(a)",
			"cut off after 85 bytes; the missing part is unknown"},
		"the end marker is missing after startxref": {catalog + "2 0 obj\n(a)\nendobj\ntrailer\n<</Root 1 0 R>>\nstartxref\n9\n",
			"1 0 R", "(a)", "cut off after 97 bytes; the missing part is unknown"},
		"the end marker is missing, and more": {catalog + "2 0 obj\n(a)\nendobj\ntrailer\n<</Root 1 0 R", "1 0 R", "(a)",
			"cut off after 82 bytes; the missing part is unknown"},
		"it ends in an object": {catalog + "trailer\n<</Root 1 0 R>>\n2 0 obj\n(a", "1 0 R",
			"object 2 0: the file ends within it", "cut off after 76 bytes; the missing part is unknown"},
		"it ends in a number": {catalog + "trailer\n<</Root 1 0 R>>\n2 0 obj\n12", "1 0 R",
			"object 2 0: the file ends within it", "cut off after 76 bytes; the missing part is unknown"},
		"it ends after an array": {catalog + "trailer\n<</Root 1 0 R>>\n2 0 obj\n[]", "1 0 R", "[]",
			"cut off after 76 bytes; the missing part is unknown"},
		"it ends in the newer one": {catalog + "trailer\n<</Root 1 0 R>>\n2 0 obj\n(a)\nendobj\n2 0 obj\n(b", "1 0 R",
			"(a)", "cut off after 95 bytes; the missing part is unknown"},
		"a stream breaks off": {catalog +
			"5 0 obj\n<</Type/ObjStm/N 2/First 8/Length 11>>\nstream\n2 0 9 3 (a)(b)\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n" + end, "1 0 R", "(a)", ""},
		"a stream without N": {catalog +
			"5 0 obj\n<</Type/ObjStm/First 8/Length 14>>\nstream\n2 0 9 3 " +
			"(a)(b)\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n" + end, "1 0 R", "object 2 0: " + whyLost[unknown],
			"object stream 5 cannot be read: N or First is missing or invalid"},
		"a stream is replaced": {catalog +
			"5 0 obj\n<</Type/ObjStm/N 2/First 8/Length 14>>\nstream\n2 0 9 3 (a)(b)\nendstream\nendobj\n2 0 obj\n(c)\nendobj\ntrailer\n<</Root 1 0 R>>\n" + end, "1 0 R", "(c)", ""},
		"a stream replaces": {catalog +
			"2 0 obj\n(c)\nendobj\n5 0 obj\n<</Type/ObjStm/N 2/First 8/Length 14>>\nstream\n2 0 9 3 (a)(b)\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n" + end, "1 0 R", "(a)", ""},
		"two streams, numbers down": {catalog +
			"6 0 obj\n<</Type/ObjStm/N 1/First 4/Length 7>>\nstream\n2 0 (a)\nendstream\nendobj\n5 0 obj\n<</Type/ObjStm/N 1/First 4/Length 7>>\nstream\n2 0 (b)\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n" + end, "1 0 R", "(b)", ""},
		"claimed by the table": {catalog +
			"xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000042 00000 n \ntrailer\n<</Root 1 0 " +
			"R>>\nstartxref\n42\n" + end, "1 0 R", "object 2 0: not found, although the cross-reference data " +
			"lists it", ""},
		"its header is broken, and nothing lists it": {catalog + "2 0 obX\n(a)\nendobj\ntrailer\n<</Root 1 0 R>>\n" + end,
			"1 0 R", "object 2 0: " + whyLost[unknown], ""},
		"deleted by the table": {catalog +
			"xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000000 00001 f \ntrailer\n<</Root 1 0 R>>\nstartxref\n42\n" + end, "1 0 R", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := newFile(context.Background(), []byte(header+test.file), true)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if root := string(f.Trailer().Lookup("Root").Raw()); root != test.root {
				t.Errorf("%s: Root %s, want %s", name, root, test.root)
			}
			if got := got(f, object.Ref{Num: 2}); got != test.object2 &&
				(test.object2 == "" || !strings.HasPrefix(got, test.object2)) {
				t.Errorf("%s: object 2 is %s, want %s", name, got, test.object2)
			}
			if strings.HasPrefix(test.file, catalog+"5 0 obj\n<</Type/ObjStm/N 2") && got(f, object.Ref{Num: 9}) != "(b)" {
				t.Errorf("%s: the second member is %s", name, got(f, object.Ref{Num: 9}))
			}
			if got := errors.Join(f.Unread()...); (got == nil) != (test.unread == "") ||
				got != nil && !strings.Contains(got.Error(), test.unread) {
				t.Errorf("%s: unread %v, want %s", name, got, test.unread)
			}
		})
	}
}

// TestNothingToRead: if no way of opening succeeds, the error is about the first way that was tried.
func TestNothingToRead(t *testing.T) {
	for file, want := range map[string]string{
		"2 0 obj\n(a)\nendobj\n":                                "no startxref",
		"2 0 obj\n(a)\nendobj\ntrailer\n<</Root 2 0 R>>\n%%EOF": "no startxref",
		"": "no startxref",
	} {
		t.Run(file, func(t *testing.T) {
			_, err := New(context.Background(), []byte(header+file), nil)
			if d := new(Damage); !errors.As(err, &d) || d.Reason != want {
				t.Errorf("%q: %v, want %s", file, err, want)
			}
		})
	}
	for file, want := range map[string]string{
		"2 0 obj\n(a)\nendobj\n":                                "no trailer, and no catalog either",
		"2 0 obj\n(a)\nendobj\ntrailer\n<</Root 2 0 R>>\n%%EOF": "the trailer's Root is of the type string, not a dictionary",
	} {
		t.Run(file, func(t *testing.T) {
			_, err := newFile(context.Background(), []byte(header+file), true)
			if d := new(Damage); !errors.As(err, &d) || d.Reason != want {
				t.Errorf("%q, searched: %v, want %s", file, err, want)
			}
		})
	}
}

// TestRefsAreThoseOfTheFile: Refs omits only entries that are free, lost, or unknown. An omitted object would not be
// audited.
func TestRefsAreThoseOfTheFile(t *testing.T) {
	f := &File{entries: []entry{{kind: free}, {kind: inFile, gen: 3}, {kind: inStream, at: 1}, {kind: lost}, {},
		{kind: inFile}}}
	if got, want := f.Refs(), []object.Ref{{Num: 1, Gen: 3}, {Num: 2}, {Num: 5}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
