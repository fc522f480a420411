package pdffile

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestLateHeaders: a PDF with a late or missing header is read. It has all objects, and one notice.
func TestLateHeaders(t *testing.T) {
	for name, l := range sectionKinds {
		data := sample(false).Bytes(l)
		want := everything(opened(t, name, data, ""))
		for says, damaged := range map[string][]byte{
			"the header %PDF- is at offset 1500": append(bytes.Repeat([]byte("junk\n"), 300), data...),
			"no header %PDF-":                    bytes.Replace(data, []byte("%PDF-"), []byte("%xxx-"), 1),
		} {
			f, err := New(context.Background(), damaged, nil)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, says, err)
			}
			compare(t, name+", "+says, everything(f), want)
			if len(f.Notices()) != 1 || !strings.Contains(f.Notices()[0], says) {
				t.Errorf("%s, %s: notices %q", name, says, f.Notices())
			}
			if f.Appendable() == nil {
				t.Errorf("%s, %s: an increment may be appended", name, says)
			}
			compare(t, name+", written", everything(opened(t, name, full.written(t, f.NewUpdate()), "")), want)
			if version := f.HeaderVersion(); (version == "") != strings.Contains(says, "no header") {
				t.Errorf("%s, %s: version %q", name, says, version)
			}
		}
	}
}

// TestCatalogWithPages: without a header, a catalog that leads to a page is a PDF, also without a trailer or a type.
func TestCatalogWithPages(t *testing.T) {
	data := sample(false).Bytes(webcapturetest.Layout{})
	noType := bytes.Replace(data, []byte("/Type /Catalog"), []byte("/Typo /Catalog"), 1)
	for name, damaged := range map[string][2][]byte{
		"without a trailer": {data, data[bytes.Index(data, []byte("1 0 obj")):bytes.LastIndex(data, []byte("xref\n0"))]},
		"without a type":    {noType, bytes.Replace(noType, []byte("%PDF-"), []byte("%xxx-"), 1)},
	} {
		t.Run(name, func(t *testing.T) {
			want := everything(opened(t, "whole", damaged[0], ""))
			f, err := New(context.Background(), damaged[1], nil)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, name, everything(f), want)
			if !slices.Contains(f.Notices(), "no header %PDF-") {
				t.Errorf("notices %q", f.Notices())
			}
		})
	}
}

// TestLateHeaderWithoutTrailer: a header and a catalog are a PDF, wherever they stand.
func TestLateHeaderWithoutTrailer(t *testing.T) {
	f, err := New(context.Background(),
		[]byte(strings.Repeat(junk, 50)+"%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n"), nil)
	if err != nil || !f.isCutOff {
		t.Errorf("%v; that it is cut off is not said", err)
	}
}

// pagesSeen matches the output of qpdf or pdfinfo for a file with pages.
var pagesSeen = regexp.MustCompile(`^[1-9]|Pages: +[1-9]`)

const junk = "text that goes on for longer than readers look for a header.\n"

// notPDFs are files that are not PDFs, although some look like it in parts.
var notPDFs = map[string]string{
	"text":                               "hello",
	"words":                              "a trailer, an xref, startxref 5 and 1 0 obj",
	"a page":                             "<!DOCTYPE html><html><body>Not found: 1 0 obj</body></html>",
	"an archive":                         "PK\x03\x04" + strings.Repeat("\x00\x01\x02", 2000),
	"a late header":                      strings.Repeat(junk, 50) + "%PDF-1.4\n" + junk,
	"a late object":                      strings.Repeat(junk, 50) + "%PDF-1.4\n1 0 obj\n<</Type/Page>>\nendobj\n",
	"a lone catalog":                     "1 0 obj\n<</Type/Catalog>>\nendobj\n",
	"a catalog without pages":            "1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Kids[]>>\nendobj\n",
	"a catalog next to the word trailer": "1 0 obj\n<</Type/Catalog>>\nendobj\nno trailer\n",
	"a lone trailer":                     "trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n",
	"another catalog":                    "1 0 obj\n<</Pages 2 0 R>>\nendobj\ntrailer\n<</Root 1 0 R>>\n",
	"a lone object stream": "9 0 obj\n<</Type/ObjStm/N 3/First 15/Length 175/Filter/ASCIIHexDecode>>\nstream\n" +
		hex.EncodeToString([]byte("1 0 2 29 3 58  <</Type/Catalog/Pages 2 0 R>><</Kids[3 0 R]/Count 1     >><</Type/Page>>")) +
		">\nendstream\nendobj\n", // the word Catalog is readable only after decoding
	"a forms data file": "%FDF-1.2\n1 0 obj\n<</FDF<</Fields[]>>>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n",
}

func TestWhatIsNotAPDFIsRefused(t *testing.T) {
	for name, text := range notPDFs {
		for _, repair := range []bool{false, true} {
			if _, err := newFile(context.Background(), []byte(text), repair); !errors.Is(err, ErrNotPDF) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestOtherReadersAgreeOnHeaders: qpdf and poppler read and refuse the same files as this package, with two
// exceptions: both accept a lone catalog, and a catalog without a type.
func TestOtherReadersAgreeOnHeaders(t *testing.T) {
	judge := func(name, text string, want bool) {
		path := filepath.Join(t.TempDir(), "x.pdf")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, tool := range [][]string{{"qpdf", "--show-npages", path}, {"pdfinfo", path}} {
			webcapturetest.Program(t, tool[0])
			out, _ := exec.Command(tool[0], tool[1:]...).Output()
			if read := pagesSeen.Match(out); read != want {
				t.Errorf("%s: %s reads it: %v, want %v", name, tool[0], read, want)
			}
		}
	}
	data := string(sample(false).Bytes(webcapturetest.Layout{}))
	noType := strings.Replace(data, "/Type /Catalog", "/Typo /Catalog", 1)
	judge("late", strings.Repeat("junk\n", 300)+data, true)
	judge("missing", strings.Replace(data, "%PDF-", "%xxx-", 1), true)
	judge("missing, and the type of the catalog", strings.Replace(noType, "%PDF-", "%xxx-", 1), true)
	for name, text := range notPDFs {
		if name != "a lone catalog" && name != "another catalog" {
			judge(name, text, false)
		}
	}
}
