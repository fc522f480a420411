package pdffile

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

var (
	mark  = regexp.MustCompile(`\{(\w+):\}`)
	place = regexp.MustCompile(`\{(\w+)([+-]\d+)?\}`)
)

// placed returns the file for text, and the notices about it. In text, {a:} marks a position, and {a} is its offset
// in ten digits; {a+3} is 3 bytes too large. In told, {a} is the plain offset.
func placed(text, told string) (file, want string) {
	at := map[string]int{}
	plain := place.ReplaceAllString(text, "0000000000")
	for m := mark.FindStringSubmatchIndex(plain); m != nil; m = mark.FindStringSubmatchIndex(plain) {
		at[plain[m[2]:m[3]]] = m[0]
		plain = plain[:m[0]] + plain[m[1]:]
	}
	spell := func(format, text string) string {
		return place.ReplaceAllStringFunc(text, func(s string) string {
			m := place.FindStringSubmatch(s)
			more, _ := strconv.Atoi(m[2])
			return fmt.Sprintf(format, at[m[1]]+more)
		})
	}
	return spell("%010d", mark.ReplaceAllString(text, "")), spell("%d", told)
}

// A catalog and a note, which every file of the tests below has.
const (
	header  = "%PDF-1.5\n"
	objects = "{one:}1 0 obj\n<</Type/Catalog>>\nendobj\n{two:}2 0 obj\n(note)\nendobj\n"
	table   = "{xref:}xref\n0 3\n0000000000 65535 f \n{one} 00000 n \n{two} 00000 n \n"
	trailer = "trailer\n<</Root 1 0 R/Size 3>>\n"
	ending  = "startxref\n{xref}\n%%EOF\n"
)

// hexStream is a cross-reference stream whose data are spelled in hexadecimal.
func hexStream(entries, data string) string {
	return "{xref:}3 0 obj\n<</Type/XRef/Root 1 0 R/Filter/ASCIIHexDecode/Length " + fmt.Sprint(len(data)) + entries +
		">>\nstream\n" + data + "\nendstream\nendobj\n"
}

// noted asserts that a file has its note, and returns the file.
func noted(t *testing.T, name, data string) *File {
	t.Helper()
	f, err := New(context.Background(), []byte(data), nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if o, err := f.NewReader().Get(object.Ref{Num: 2}); err != nil || text(o) != text(literal("(note)")) {
		t.Errorf("%s: the note is %v, %v", name, o, err)
	}
	return f
}

// prefixes are bytes before the header. Offsets count from the header, also in messages.
var prefixes = []string{"", "HTTP/1.0 200 OK\r\n\r\n"}

// TestWhyTheCrossReferenceDataIsNotUsed: a notice about a damaged file describes the damage and its position; the
// objects are still found.
func TestWhyTheCrossReferenceDataIsNotUsed(t *testing.T) {
	streamed := func(entries, data string) string { return objects + hexStream(entries, data) + ending }
	twoEntries := "0000000000 00 01 00000009 00 01 0000002e 00 "
	for name, test := range map[string]struct{ file, want string }{
		"no startxref": {objects + table + trailer + "%%EOF\n", "no startxref"},
		"no offset":    {objects + table + trailer + "startxref\n%%EOF\n", "startxref without an offset"},
		"offset 0":     {objects + table + trailer + "startxref\n0\n%%EOF\n", "the last startxref is 0"},
		"startxref leads elsewhere": {objects + table + trailer + "startxref\n{xref+1100}\n%%EOF\n",
			"no cross-reference section at offset {xref+1100}, where startxref points"},
		"offset after the end": {objects + table + trailer + "startxref\n9999999999\n%%EOF\n",
			"no cross-reference section at offset 9999999999, where startxref points"},
		"too many entries": {objects + strings.Replace(table, "0 3", "0 99", 1) + trailer + ending,
			"subsection 0 99 of the table at offset {xref+5} is invalid"},
		"number too large": {objects + strings.Replace(table, "0 3", "8388606 3", 1) + trailer + ending,
			"subsection 8388606 3 of the table at offset {xref+5} is invalid"},
		"an entry without an offset": {objects + strings.Replace(table, "{two}", "x", 1) + trailer + ending,
			"the entry of object 2 at offset {xref+49} is not a table entry"},
		"without a generation": {objects + strings.Replace(table, "{two} 00000", "{two} x", 1) + trailer + ending,
			"the entry of object 2 at offset {xref+49} is not a table entry"},
		"without a number before n": {objects + strings.Replace(table, "{two} 00000", "{two}", 1) + trailer + ending,
			"the entry of object 2 at offset {xref+49} is not a table entry"},
		"neither n nor f": {objects + strings.Replace(table, "00000 n \n{two}", "00000 m \n{two}",
			1) + trailer + ending, "the entry of object 1 at offset {xref+29} is not a table entry"},
		"no trailer": {objects + table + ending, "no trailer at offset {xref+69}, after the table"},
		"a broken trailer": {objects + table + "trailer\n<</Root 1 0 R/Size ]>>\n" + ending,
			"the trailer at offset {xref+69} is not a dictionary"},
		"another trailer": {objects + table + "trailer\n[/Root]\n" + ending,
			"the trailer at offset {xref+69} is not a dictionary"},
		"Prev after the end": {objects + table + "trailer\n<</Root 1 0 R/Size 3/Prev 7000>>\n" + ending,
			"cross-reference section at offset 7000, after the end of the file"},
		"Prev at the end": {objects + table + "trailer\n<</Root 1 0 R/Size 3/Prev {end}>>\n" + ending +
			"{end:}", "cross-reference section at offset {end}, after the end of the file"},
		"Prev leads back": {objects + table + "trailer\n<</Root 1 0 R/Size 3/Prev {xref}>>\n" + ending,
			"the chain of cross-reference sections leads back to offset {xref}"},
		"Prev leads to nothing": {objects + table + "trailer\n<</Root 1 0 R/Size 3/Prev {one+9}>>\n" + ending,
			"no cross-reference section at offset {one+9}: no object at offset {one+9}"},
		"Prev leads to an object": {objects + table + "trailer\n<</Root 1 0 R/Size 3/Prev {two}>>\n" + ending,
			"no cross-reference section at offset {two}: object 2 is of the type string, not a stream"},
		"XRefStm leads to nothing": {objects + table + "trailer\n<</Root 1 0 R/Size 3/XRefStm {one+9}>>\n" + ending,
			"no cross-reference section at offset {one+9}: no object at offset {one+9}"},
		"no Root": {objects + table + "trailer\n<</Size 3>>\n" + ending,
			"the trailer's Root is missing, not a dictionary"},
		"Root is a string": {objects + table + "trailer\n<</Root 2 0 R/Size 3>>\n" + ending,
			"the trailer's Root is of the type string, not a dictionary"},
		"an object after the end": {objects + table + trailer + ending + "{end:}7 0 obj\n(new)\nendobj\n",
			"21 bytes after the last revision in the cross-reference data, with object 7 at offset {end}"},
		"a table after the end": {objects + table + trailer + ending + "{end:} xref\n0 1\n",
			"10 bytes after the last revision in the cross-reference data, with the keyword xref at offset {end+1}"},
		"a trailer after the end": {objects + table + trailer + ending + "{end:} trailer <<",
			"11 bytes after the last revision in the cross-reference data, with the keyword trailer at offset " +
				"{end+1}"},
		"the start of an object": {objects + table + trailer + ending + "{end:}12 0 ob",
			"7 bytes after the last revision in the cross-reference data, with the start of an object at offset " +
				"{end}"},

		"no W": {streamed("/Index[0 3]", twoEntries),
			"cross-reference stream at offset {xref}: W is missing or invalid"},
		"two widths": {streamed("/Index[0 3]/W[1 4]", twoEntries),
			"cross-reference stream at offset {xref}: W is missing or invalid"},
		"a width of a word": {streamed("/Index[0 3]/W[1 4 /x]", twoEntries),
			"cross-reference stream at offset {xref}: W is missing or invalid"},
		"W 1 too wide": {streamed("/Index[0 3]/W[9 4 1]", twoEntries),
			"cross-reference stream at offset {xref}: W is missing or invalid"},
		"W 2 too wide": {streamed("/Index[0 3]/W[1 9 1]", twoEntries),
			"cross-reference stream at offset {xref}: W is missing or invalid"},
		"W 3 too wide": {streamed("/Index[0 3]/W[1 4 9]", twoEntries),
			"cross-reference stream at offset {xref}: W is missing or invalid"},
		"no offsets": {streamed("/Index[0 3]/W[1 0 5]", twoEntries),
			"cross-reference stream at offset {xref}: W is missing or invalid"},
		"Index too large": {streamed("/Index[8388606 3]/W[1 4 1]", twoEntries),
			"cross-reference stream at offset {xref}: Index 8388606 3 is invalid"},
		"entries missing": {streamed("/Index[0 2 5 2]/W[1 4 1]", twoEntries),
			"cross-reference stream at offset {xref}: it ends before the entry of object 6"},
		"Size too large": {streamed("/Size 5/W[1 4 1]", twoEntries),
			"cross-reference stream at offset {xref}: it ends before the entry of object 3"},
		"odd Index": {streamed("/Index[0 1 2]/Size 9/W[1 4 1]", twoEntries),
			"cross-reference stream at offset {xref}: it ends before the entry of object 3"},
		"data that are none": {objects +
			"{xref:}3 0 obj\n<</Type/XRef/Root 1 0 R/Size 3/W[1 4 1]/Filter/NoSuchDecode/Length 4>>\nstream\nabcd\nendstream\nendobj\n" + ending,
			"cross-reference stream at offset {xref}: NoSuchDecode: "},
	} {
		t.Run(name, func(t *testing.T) {
			for _, prefix := range prefixes {
				file, want := placed(header+test.file, test.want)
				f := noted(t, name, prefix+file)
				if got := strings.Join(f.Notices(), "\n"); !f.Repaired() ||
					!strings.HasPrefix(got, "cross-reference data is damaged: "+want) {
					t.Errorf("%s, after %q:\n got %s\nwant %s", name, prefix, got, want)
				}
			}
		})
	}
}

// TestTableThatMissesTheCatalog: a table that leads to another object is damage.
func TestTableThatMissesTheCatalog(t *testing.T) {
	data, _ := placed(header+objects+strings.Replace(table, "{one}", "{two}", 1)+trailer+ending, "")
	f := &File{fileBytes: fileBytes{data: []byte(data)}}
	if d := new(Damage); !errors.As(f.openByTable(0), &d) || !strings.Contains(d.Reason, "where 1 0 R should be") {
		t.Errorf("%v", d)
	}
}

// TestOddSectionsAreRead: if readers understand a mistake of a writer, the file is not searched: a search would find
// deleted objects again.
func TestOddSectionsAreRead(t *testing.T) {
	const inUse = "00 00000000 00 01 00000009 00 01 0000002a 00 02 00000004 00 02 00000004 01"
	const deleted = "{old:}5 0 obj\n(deleted)\nendobj\n"
	stream := func(entries, data string) string { return objects + deleted + hexStream(entries, data) + ending }
	for name, text := range map[string]string{
		"a blank line before the table": objects + deleted + "\n{blank:}\n\n" + table + trailer +
			"startxref\n{blank}\n%%EOF\n",
		"much after startxref": objects + deleted + table + trailer + ending + strings.Repeat("%%%%%%%\n",
			600),
		"words between sections": objects + deleted + table + trailer + "% startxref is below\n" + ending,
		"an update": objects + deleted + table + trailer + ending +
			"{next:}xref\n5 1\n0000000000 00001 f \ntrailer\n<</Root 1 0 R/Size 6/Prev {xref}>>\nstartxref\n{next}\n%%EOF\n",
		"an object at offset 0": objects + deleted + table + "5 1\n0000000000 00000 n \n" + trailer + ending,
		"an object at the largest number": objects + deleted + table + "8388607 1\n0000000000 00000 n \n" + trailer +
			ending,
		"lines that end in nothing": objects + deleted + strings.ReplaceAll(table, " \n",
			" ") + trailer + ending,

		"a stream":               stream("/Index[0 5]/W[1 4 1]", inUse),
		"a stream without Index": stream("/Size 5/W[1 4 1]", inUse),
		"an Index of three":      stream("/Index[0 1 2]/Size 5/W[1 4 1]", inUse),
		"two parts":              stream("/Index[0 2 2 1]/Size 5/W[1 4 1]", inUse),
		"more data than entries": stream("/Index[0 3]/W[1 4 1]", inUse+" ff ff ff"),
		"fields of eight bytes": stream("/Index[1 2]/W[8 8 8]",
			"0000000000000001 0000000000000009 0000000000000000 0000000000000001 000000000000002a 0000000000000000"),
		"no types":    stream("/Index[1 2]/W[0 2 0]", "0009 002a"),
		"four fields": stream("/Index[0 3]/W[1 4 1 7]", inUse),
		"the largest number in it": stream("/Index[0 3 8388607 1]/W[1 4 1]",
			"00 00000000 00 01 00000009 00 01 0000002a 00 00 00000000 00"),
		"an object at offset 0 in it": stream("/Index[0 3 5 1]/W[1 4 1]",
			"00 00000000 00 01 00000009 00 01 0000002a 00 01 00000000 00"),
	} {
		t.Run(name, func(t *testing.T) {
			for _, prefix := range prefixes {
				file, _ := placed(header+text, "")
				f := noted(t, name, prefix+file)
				if got := strings.Join(f.Notices(), "\n"); f.Repaired() || got != "" {
					t.Errorf("%s, after %q: repaired %v, %q", name, prefix, f.Repaired(), got)
				}
				if may := f.Appendable() == nil; may != (prefix == "") {
					t.Errorf("%s, after %q: an increment may be appended: %v", name, prefix, may)
				}
				if o, err := f.NewReader().Get(object.Ref{Num: 5}); err != nil || !o.IsNull() {
					t.Errorf("%s, after %q: the deleted object is %v, %v", name, prefix, o, err)
				}
			}
		})
	}
}
