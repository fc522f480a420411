package export_test

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/export"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// exportedFiles returns the WARC file of several PDFs.
func exportedFiles(t *testing.T, opt export.Options, pdfs ...[]byte) (warc []byte) {
	t.Helper()
	var out bytes.Buffer
	w := export.NewWriter(&out, "captures.warc.gz", "1.0", opt)
	for i, pdf := range pdfs {
		f, err := webcapture.New(t.Context(), pdf, webcapture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		records, err := recordsOf(f, opt)
		if err != nil {
			t.Fatal(err)
		}
		defer records.Close()
		if err := w.Add(export.Source{Path: fmt.Sprintf("%d.pdf", i), Size: f.Size()},
			records); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// parsed returns the text of a fixture as a file.
func parsed(t *testing.T, text string) []byte {
	t.Helper()
	doc, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Bytes(webcapturetest.Layout{})
}

// Each type of record has the headers of ISO 28500:2017, 5 and 6, that belong to it, none of them empty.
func TestHeaders(t *testing.T) {
	warc := exportedFiles(t, export.Options{}, webcapturetest.Sets(3,
		webcapturetest.Options{Images: 3}).Bytes(webcapturetest.Layout{}))
	want := map[string]string{
		"warcinfo": "Content-Length Content-Type Warc-Block-Digest Warc-Date Warc-Filename Warc-Payload-Digest Warc-Record-Id " +
			"Warc-Type",
		"conversion": "Content-Length Content-Type Warc-Block-Digest Warc-Date Warc-Payload-Digest Warc-Record-Id Warc-Target-Uri Warc-Type",
		"revisit": "Content-Length Warc-Date Warc-Payload-Digest Warc-Profile Warc-Record-Id Warc-Refers-To Warc-Refers-To-Date " +
			"Warc-Refers-To-Target-Uri Warc-Target-Uri Warc-Type",
		"metadata": "Content-Length Content-Type Warc-Block-Digest Warc-Date Warc-Payload-Digest Warc-Record-Id Warc-Refers-To " +
			"Warc-Target-Uri Warc-Type Warc-Warcinfo-Id",
	}
	want["resource"] = want["conversion"]
	list := readAll(t, warc)
	ids, pdf := map[string]bool{}, ""
	for _, r := range list {
		var names []string
		for name, values := range r.header {
			names = append(names, name)
			if len(values) != 1 || values[0] == "" {
				t.Errorf("%v has %s: %q", r, name, values)
			}
		}
		slices.Sort(names)
		kind := r.header.Get("WARC-Type")
		if got := strings.Join(names, " "); got != want[kind] {
			t.Errorf("%s has\n%s\nwant\n%s", kind, got, want[kind])
		}
		id := r.header.Get("WARC-Record-ID")
		if !uuid.MatchString(id) || ids[id] {
			t.Errorf("%v has the ID %s, want a new random UUID", r, id)
		}
		ids[id] = true
		if kind == "conversion" {
			pdf = id
		}
		if to := r.header.Get("WARC-Refers-To"); to != "" && to != pdf {
			t.Errorf("%v refers to %s, want %s", r, to, pdf)
		}
	}
	if to := list[len(list)-1].header.Get("WARC-Warcinfo-ID"); to != list[0].header.Get("WARC-Record-ID") {
		t.Errorf("the metadata are of the file %s", to)
	}
	if text := string(list[0].block); !strings.Contains(text, "software: webcap 1.0\r\n") {
		t.Errorf("the file is described as %q", text)
	}
}

// uuid matches a random UUID (RFC 9562, 5.4: version 4, variant 10).
var uuid = regexp.MustCompile(`^<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$`)

// Uncompressed records have the same content as compressed ones.
func TestPlain(t *testing.T) {
	compressed, _ := exported(t, site, export.Options{})
	want := readAll(t, compressed)
	warc, _ := exported(t, site, export.Options{Plain: true})
	list := strings.SplitAfter(string(warc), "\r\n\r\nWARC/1.1\r\n")
	for i, text := range list {
		if i > 0 {
			text = "WARC/1.1\r\n" + text
		}
		if got := readOne(t, []byte(strings.TrimSuffix(text, "WARC/1.1\r\n"))); i < 4 && !bytes.Equal(got.block, want[i].block) {
			t.Errorf("record %d is %v, want %v", i, got, want[i])
		}
	}
	if len(list) != len(want) {
		t.Errorf("%d records, want %d", len(list), len(want))
	}
}

// imageSet is an image set with images; the ID is the MD5 of the last one.
func imageSet(contentType string, images ...string) []byte {
	doc := &webcapturetest.Document{}
	var refs strings.Builder
	for _, data := range images {
		num := doc.AddStream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /Filter /DCTDecode", []byte(data))
		fmt.Fprintf(&refs, "%d 0 R ", num)
	}
	id := md5.Sum([]byte(images[len(images)-1]))
	set := doc.Add(fmt.Sprintf("<< /S /SIS /ID <%x> /O [ %s] /CT (%s) /TS (D:2003) /SI << /AU (http://a.example/) >> >>",
		id, refs.String(),
		contentType))
	page := doc.Add("<< /Type /Pages /Kids [ ] /Count 0 >>")
	doc.Root = doc.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Names << /URLS << /Names [ (http://a.example/) %d 0 R ] >> >> >>",
		page, set))
	return doc.Bytes(webcapturetest.Layout{})
}

// An image has the media type of its set. If that is not a media type, it has the one of its first bytes.
func TestMediaTypeOfImage(t *testing.T) {
	const jpeg = "\xff\xd8\xff\xe0"
	for contentType, want := range map[string]string{
		"image/webp": "image/webp", "IMAGE/PNG; a=b": "image/png", "image/png; =": "image/jpeg", "png": "image/jpeg",
		"": "image/jpeg",
	} {
		t.Run(contentType, func(t *testing.T) {
			data := jpeg + strings.Repeat(".", 100_000)
			warc, records := exported(t, imageSet(contentType, data), export.Options{})
			list := readAll(t, warc)
			if records.Images != 1 || len(list) != 3 {
				t.Fatalf("%d images, and records %v", records.Images, list)
			}
			if got := list[1].header.Get("Content-Type"); got != want || string(list[1].block) != data {
				t.Errorf("%s, and %d bytes; want %s and %d bytes", got, len(list[1].block), want, len(data))
			}
			if to := list[2].header.Get("WARC-Refers-To"); to != "" {
				t.Errorf("the metadata of a file without pages refer to %s", to)
			}
		})
	}
}

// Of several images in a set, the record has the one whose MD5 is the ID. If there is none, the set is counted as
// unproven.
func TestProvenImage(t *testing.T) {
	warc, records := exported(t, imageSet("", "another", "the one"), export.Options{})
	if list := readAll(t, warc); records.Images != 1 || len(list) != 3 || string(list[1].block) != "the one" {
		t.Errorf("%d images, and records %v", records.Images, list)
	}
	unproven := bytes.ReplaceAll(imageSet("", "the one"), []byte("the one"), []byte("another"))
	warc, records = exported(t, unproven, export.Options{})
	if list := readAll(t, warc); records.Images != 0 || len(records.Left) != 1 || !records.Left[0].Intended ||
		len(list) != 1 {
		t.Errorf("%d images, %v left, and records %v", records.Images, records.Left, list)
	}
}

// A file without captures has a record that describes it.
func TestNoFiles(t *testing.T) {
	warc := exportedFiles(t, export.Options{})
	if list := readAll(t, warc); len(list) != 1 || list[0].String() != "warcinfo" {
		t.Errorf("records are %v, want warcinfo", list)
	}
}

// Sets that are neither page sets nor image sets are not exported. The first is named, and the others counted.
func TestManyLeft(t *testing.T) {
	var keys, sets strings.Builder
	for num := 100; num < 125; num++ {
		fmt.Fprintf(&keys, "(http://a.example/%d) %d 0 R ", num, num)
		fmt.Fprintf(&sets, "%d 0 obj << /ID (%d) /O [ ] /TS (D:2003) /SI << /AU (http://a.example/%d) >> >>\n", num,
			num, num)
	}
	_, records := exported(t, parsed(t, "names: << /URLS << /Names [ "+keys.String()+"] >> >>\n"+sets.String()),
		export.Options{})
	want := []export.Left{{First: "http://a.example/100", Count: 25, Reason: "it is neither a page set nor an image set"}}
	if !slices.Equal(records.Left, want) || records.Pages != 0 {
		t.Errorf("%v left, and %d pages; want %v", records.Left, records.Pages, want)
	}
}

// A part of the file that cannot be read is in Unread, and the rest is exported.
func TestUnread(t *testing.T) {
	for name, objects := range map[string]string{
		"content set": "(http://b.example/) 9 0 R ] >> >>\n",
		"node":        "] >> /IDS << /Kids [ 10 0 R ] >> >>\n10 0 obj << /Names 9 0 R >>\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, records := exported(t, parsed(t, "names: << /URLS << /Names [ (http://a.example/) 5 0 R "+objects+
				"7 0 obj << /Type /Page >>\n9 0 obj 9 0 R\n"+
				"5 0 obj << /S /SPS /O [ 7 0 R ] /TS (D:2003) /SI << /AU (http://a.example/) >> >>\n"),
				export.Options{})
			if len(records.Unread()) != 1 || records.Pages != 1 {
				t.Errorf("unread parts %v and %d pages, want one each", records.Unread(), records.Pages)
			}
		})
	}
}

var errFailed = errors.New("failed by the test")

// failOnce is a writer whose call with this number fails; later calls succeed.
type failOnce struct{ calls, at int }

func (w *failOnce) Write(b []byte) (int, error) {
	if w.calls++; w.calls-1 == w.at {
		return 0, errFailed
	}
	return len(b), nil
}

// eachWriteFails calls write with a writer whose first call fails, then with one whose second call fails, and so
// on until no call fails. The number of calls differs between runs, because random identifiers compress to
// another length.
func eachWriteFails(t *testing.T, write func(io.Writer) error) {
	t.Helper()
	for at := 0; ; at++ {
		to := &failOnce{at: at}
		err := write(to)
		switch failed := to.calls > at; {
		case failed && !errors.Is(err, errFailed):
			t.Errorf("write %d of %d failed, and the error is %v", at, to.calls, err)
		case !failed && err != nil:
			t.Error(err)
		case !failed && at == 0:
			t.Error("nothing was written")
		}
		if to.calls <= at {
			return
		}
	}
}

// If any write fails, even once, one of the calls returns the error.
func TestWriteErrors(t *testing.T) {
	f, err := webcapture.New(t.Context(), webcapturetest.Sets(100, webcapturetest.Options{TextIDs: true,
		Images: 50}).Bytes(webcapturetest.Layout{}),
		webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, plain := range []bool{false, true} {
		opt := export.Options{Plain: plain}
		records, err := recordsOf(f, opt)
		if err != nil {
			t.Fatal(err)
		}
		defer records.Close()
		write := func(to io.Writer, r *export.Records) error {
			w := export.NewWriter(to, "captures.warc.gz", "1.0", opt)
			if r != nil {
				if err := w.Add(export.Source{Path: "a.pdf"}, r); err != nil {
					return err
				}
			}
			return w.Close()
		}
		t.Run(fmt.Sprintf("records, plain %t", plain), func(t *testing.T) {
			eachWriteFails(t, func(to io.Writer) error { return write(to, records) })
		})
		t.Run(fmt.Sprintf("no records, plain %t", plain), func(t *testing.T) {
			eachWriteFails(t, func(to io.Writer) error { return write(to, nil) })
		})
	}
}

// If reading fails at any moment, even once, there are no records, but this error.
func TestReadErrors(t *testing.T) {
	pdf := parsed(t,
		"7 0 obj << /Type /Page >>\n"+
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R (http://b.example/) 6 0 R ] >> >>\n"+
			"5 0 obj << /S /SPS /O [ 7 0 R ] /TS (D:2003) /SI << /AU (http://a.example/) >> >>\n"+
			"6 0 obj << /S /SPS /O [ 7 0 R ] /TS (D:2003) /SI << /AU (http://b.example/) >> >>\n")
	for name, data := range map[string][]byte{"pages": pdf, "image": imageSet("", "\xff\xd8\xff"),
		"typed image": imageSet("a/b", "c")} {
		t.Run(name, func(t *testing.T) {
			ctx := webcapturetest.NewFailingReads()
			f, err := webcapture.New(ctx, data, webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			old, err := recordsOf(f, export.Options{})
			if err != nil {
				t.Fatal(err)
			}
			old.Close()
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			ctx.FailAt(0, false)
			records, err := export.New(f, db, export.Options{})
			if err != nil {
				t.Fatal(err)
			}
			records.Close()
			for n := range ctx.Reads() {
				ctx.FailAt(n+1, false)
				if records, err := export.New(f, db, export.Options{}); !errors.Is(err, webcapturetest.ErrRead) ||
					records != nil {
					t.Errorf("reading failed at %d: %v, %v", n, records, err)
				}
			}
		})
	}
}

// An error of a temporary file, in which large records wait, is not lost.
func TestTemporaryFileErrors(t *testing.T) {
	f, err := webcapture.New(t.Context(), imageSet("", strings.Repeat("0123456789", 300_000)), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := recordsOf(f, export.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	records.Close()
	for _, name := range []string{"TMPDIR", "TEMP", "TMP"} {
		t.Setenv(name, filepath.Join(t.TempDir(), "missing"))
	}
	if _, err := recordsOf(f, export.Options{Plain: true}); err == nil || !strings.Contains(err.Error(),
		"temporary file") {
		t.Errorf("without a folder for temporary files: %v", err)
	}
}
