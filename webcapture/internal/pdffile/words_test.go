package pdffile

import (
	"fmt"
	"strings"
	"testing"
)

// TestHeadersOfObjects: "n g obj" with white space and comments anywhere, and nothing else.
func TestHeadersOfObjects(t *testing.T) {
	for text, want := range map[string]struct {
		after int
		num   uint32
	}{
		"7 0 obj<<>>":                    {7, 7},
		"\n  7 0 obj":                    {10, 7},
		"% a comment\n7%1\n0%2\nobj(x)":  {23, 7},
		"8388607 65535 obj":              {17, 8388607},
		"7 0obj":                         {6, 7},
		"8388608 0 obj":                  {},
		"7 obj":                          {},
		"7 0":                            {},
		"7 0 ob":                         {},
		"7 0 xobj":                       {},
		"/7 0 obj":                       {},
		"obj":                            {},
		"7":                              {},
		" ":                              {},
		"18446744073709551623 0 obj<<>>": {}, // would be 7 after an overflow of 64 bits
	} {
		t.Run(text, func(t *testing.T) {
			f := &File{fileBytes: fileBytes{data: []byte(text)}}
			if after, num, ok := f.header(0); ok != (want.num != 0) || after != want.after || num != want.num {
				t.Errorf("%q: object %d until %d, %v, want %d until %d", text, num, after, ok, want.num, want.after)
			}
		})
	}
	f := &File{fileBytes: fileBytes{data: []byte("7 0 obj")}}
	for _, p := range []int64{-1, -7, 7, 8, 1 << 40} {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			if _, _, ok := f.header(p); ok {
				t.Errorf("there is an object at %d, which is not in the file", p)
			}
		})
	}
}

// TestHeadersBeforeKeywords: a file without cross-reference data is searched for "obj". The numbers before it decide
// whether it begins an object.
func TestHeadersBeforeKeywords(t *testing.T) {
	for text, want := range map[string]struct {
		at  int
		num uint32
		gen uint16
	}{
		"7 0 obj":               {0, 7, 0},
		"\n7 0 obj":             {1, 7, 0},
		"x7 0 obj":              {1, 7, 0}, // the end of a stream may be right before it
		"12  \t 34\nobj":        {0, 12, 34},
		"7 65535 obj":           {0, 7, 65535},
		"7 0obj":                {0, 7, 0},
		"8388607 0 obj":         {0, 8388607, 0},
		"12345678901 0 obj":     {},
		"1 00000000001 obj":     {},
		"8388608 0 obj":         {},
		"7 65536 obj":           {},
		"0 0 obj":               {},
		"0 obj":                 {},
		" 0 obj":                {},
		"obj":                   {},
		" obj":                  {},
		"7 x obj":               {},
		"x 0 obj":               {},
		"7x0 obj":               {},
		"7 0 endobj":            {},
		"7 0/obj":               {},
		"1234567 0000000000obj": {0, 1234567, 0},
	} {
		t.Run(text, func(t *testing.T) {
			at, num, gen, ok := headerBefore([]byte(text), len(text)-len("obj"))
			if ok != (want.num != 0) || ok && (at != want.at || num != want.num || gen != want.gen) {
				t.Errorf("%q: object %d %d at %d, %v, want %d %d at %d", text, num, gen, at, ok, want.num, want.gen,
					want.at)
			}
		})
	}
}

// TestStartsOfObjects: a file that ends within the first line of an object is cut off.
func TestStartsOfObjects(t *testing.T) {
	for text, want := range map[string]bool{
		"1": true, "12 ": true, "12 0": true, "12 0 ": true, "12 0 o": true, "12 0 obj": true, "\n\n12 0 ob": true,
		"12  0  obj": true,
		"":           false, "0": false, "01 0": false, "x": false, "12 x": false, "12 0 obx": false, "12\n0": false,
		"12 0 obj\n": false, "12 0 obj <<": false,
		"1234567890123456789012345678901":  true,
		"12345678901234567890123456789012": false, // no object has such a number
	} {
		t.Run(text, func(t *testing.T) {
			if got := startsHeader([]byte(text)); got != want {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		})
	}
}

// TestKeywordsOfRevisions: the keyword trailer is found only where it begins a part of a revision, not within text.
func TestKeywordsOfRevisions(t *testing.T) {
	for text, want := range map[string]int{
		"\ntrailer<<": 1, "\n trailer % it\n <<": 2, ">>trailer\n<<": 2, " trailer x trailer<": 11,
		"\ntrailer": -1, "\ntrailer (": -1, "\nxtrailer<<": -1, "\ntraile<<": -1, " trailerx trailer": -1,
	} {
		t.Run(text, func(t *testing.T) {
			at, ok := keywordBefore([]byte(text), 1, "trailer", "<")
			if ok != (want >= 0) || ok && at != want {
				t.Errorf("%q: at %d, %v, want %d", text, at, ok, want)
			}
		})
	}
}

// TestObjectsThatNoSectionKnows: an unlisted object is found, also after words that do not begin an object.
func TestObjectsThatNoSectionKnows(t *testing.T) {
	for text, want := range map[string]int{"9 0 obj": 0, "objobj 9 0 obj": 7, "obj9 0 obj": 3, "endobj": -1, "obj": -1,
		"9 0 objobj": 0} {
		t.Run(text, func(t *testing.T) {
			num, at, ok := (&File{fileBytes: fileBytes{data: []byte(text)}}).unknownObject(0)
			if ok != (want >= 0) || ok && (at != want || num != 9) {
				t.Errorf("%q: object %d at %d, %v, want %d", text, num, at, ok, want)
			}
		})
	}
}

// TestLastObjects: a file is cut off if %%EOF does not follow its last object.
func TestLastObjects(t *testing.T) {
	for text, want := range map[string]bool{
		"1 0 obj null endobj\n%%EOF\n":                             false,
		"1 0 obj null endobj\n%%EOF\n2 0 obj null endobj\n":        true,
		"1 0 obj null endobj\n%%EOF\n2 0 obj null endobj\n%%EOF\n": false,
		"%%EOF\nendobj": false,
	} {
		t.Run(text, func(t *testing.T) {
			f := &File{fileBytes: fileBytes{data: []byte(text)}}
			if f.findCutOff(f.lastObject()); f.isCutOff != want {
				t.Errorf("%q: %v", text, f.unread)
			}
		})
	}
}

// TestTablesThatBreakOff: a table that ends within or after its entries is damage.
func TestTablesThatBreakOff(t *testing.T) {
	for _, text := range []string{"", "\n", "\n0 1\n0000000000 65535 f ", "\n0 1\n0000000000 65535 f \n", "\n(0 1)",
		"\n0 1\n0000000000 65535 f \n<<>>"} {
		t.Run(text, func(t *testing.T) {
			f := &File{fileBytes: fileBytes{data: []byte(text)}}
			_, err := (&sections{f: f, seen: map[int64]bool{}}).readTable(0)
			if err == nil || !strings.Contains(err.Error(), "no trailer at offset") {
				t.Errorf("%q: %v", text, err)
			}
		})
	}
}

// TestEndsOfRevisions: a revision ends after its last line, or earlier if parts of its end are missing.
func TestEndsOfRevisions(t *testing.T) {
	for text, want := range map[string]int{
		"startxref\n12\n%%EOF\n7 0 obj":             19,
		"\nstartxref 12 %%EOF\r\n\n7 0 obj":         22,
		"endstream endobj\nstartxref\n12\n%%EOF\nx": 36,
		"endstream\nendobj\nx":                      17,
		"startxref\n12\nx":                          13,
		"startxref\n12 % a comment\n%%EOF\nx":       31,
		"startxref\n12\n%%EO":                       13,
		"endobj endstream":                          6,
		"x":                                         0,
		"\n\n":                                      2,
		"startxref\n12\nx %%EOF":                    13,
		"  %%EOF x":                                 7,
		"%%EOF\nx":                                  6,
	} {
		t.Run(text, func(t *testing.T) {
			f := &File{fileBytes: fileBytes{data: []byte(text)}}
			if got := f.revisionEnd(0); got != want {
				t.Errorf("%q: ends at %d, want %d", text, got, want)
			}
		})
	}
}

// TestStartsOfRevisions: a newer revision starts on a line or right after the end marker.
func TestStartsOfRevisions(t *testing.T) {
	for text, want := range map[string]bool{
		"%%EOF|7 0 obj(new)endobj": true, "x\n|7 0 obj(new)endobj": true, "x|\n7 0 obj(new)endobj": true,
		"%%EOF|\ntrailer<<": true, "%%EOF\n|xref 0 1": true, "%%EOF|7 0 o": true, "|7 0 obj(new)endobj": true,
		"x|7 0 obj(new)endobj": false, "%%EOF|": false, "%%EOF|\n": false, "%%EOF|words": false, "x|trailer<<": false,
		"%%EOF\n|ze 3>>endobj 7 0 obj(old)endobj": false,
	} {
		t.Run(text, func(t *testing.T) {
			before, after, _ := strings.Cut(text, "|")
			if got := (&File{fileBytes: fileBytes{data: []byte(before + after)}}).startsRevision(len(before)); got != want {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		})
	}
}
