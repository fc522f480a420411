package rewrite

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// BenchmarkRewrite repairs one of many keys with an update. For comparison, it also measures the audit of the file,
// and a copy of it.
func BenchmarkRewrite(b *testing.B) {
	const sets = 100_000
	for _, c := range []struct {
		name   string
		layout webcapturetest.Layout
	}{
		{"table", webcapturetest.Layout{}},
		{"streams", webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 100,
			ObjectStreamFilter: webcapturetest.Plain}},
	} {
		dir := b.TempDir()
		path := filepath.Join(dir, "site.pdf")
		breakOneKey(b, path, sets, c.layout)
		b.Run(c.name+"/audit", func(b *testing.B) {
			for b.Loop() {
				if _, err := audit.File(b.Context(), path, audit.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/copy", func(b *testing.B) {
			for b.Loop() {
				copyFile(b, path, filepath.Join(dir, "copy.pdf"))
			}
		})
		b.Run(c.name+"/rewrite", func(b *testing.B) {
			for b.Loop() {
				rewriteFile(b, path, filepath.Join(dir, "out.pdf"))
			}
		})
	}
}

// BenchmarkRewriteAll measures the repair of files in which every key of IDS is broken, as by pdfcpu optimize, and
// for comparison an audit of them.
func BenchmarkRewriteAll(b *testing.B) {
	for _, sets := range []int{10_000, 100_000, 1_000_000} {
		dir := b.TempDir()
		path := filepath.Join(dir, "site.pdf")
		var file bytes.Buffer
		o := webcapturetest.Options{Leaf: 64, Pages: 2000, TextIDs: true}
		// With object streams, so small a file may not have so many findings.
		if err := webcapturetest.WriteSets(&file, sets, o, webcapturetest.Layout{}); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			b.Fatal(err)
		}
		file = bytes.Buffer{}
		b.Run(fmt.Sprintf("n=%d/audit", sets), func(b *testing.B) {
			for b.Loop() {
				if rep, err := audit.File(b.Context(), path, audit.Options{}); err != nil || len(rep.Findings) < sets {
					b.Fatal(rep, err)
				}
			}
		})
		b.Run(fmt.Sprintf("n=%d/rewrite", sets), func(b *testing.B) {
			for b.Loop() {
				rewriteFile(b, path, filepath.Join(dir, "out.pdf"))
			}
		})
	}
}

func rewriteFile(b *testing.B, path, to string) {
	b.Helper()
	p, err := Open(b.Context(), path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := p.Install(context.Background(), Target{Path: to}); err != nil {
		b.Fatal(err)
	}
	p.Close()
}

// breakOneKey writes a database in which one key of URLS is not canonical.
func breakOneKey(b *testing.B, path string, sets int, l webcapturetest.Layout) {
	b.Helper()
	var file bytes.Buffer
	if err := webcapturetest.WriteSets(&file, sets, webcapturetest.Options{Leaf: 64, Pages: 2000}, l); err != nil {
		b.Fatal(err)
	}
	key := []byte("(http://www.example.org/archive/00000001/")
	at := bytes.Index(file.Bytes(), append([]byte("["), key...))
	if at < 0 {
		at = bytes.LastIndex(file.Bytes(), key)
	}
	copy(file.Bytes()[at:], bytes.Replace(file.Bytes()[at:at+len(key)+1], []byte("www"), []byte("WWW"), 1))
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
}

func copyFile(b *testing.B, from, to string) {
	b.Helper()
	r, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	w, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(w, r); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFrom plans the restoration of files in which half of the pages are those of the original, and the first
// page has many links. For comparison, it also plans that of an intact file.
func BenchmarkFrom(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		from := filepath.Join(b.TempDir(), "original.pdf")
		if err := os.WriteFile(from, pdf(b, manyPages(n, 0, n, true)), 0o600); err != nil {
			b.Fatal(err)
		}
		after := pdf(b, manyPages(n, n/2, n, false))
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				planOf(b, after, Options{From: []string{from}})
			}
		})
		intact := pdf(b, manyPages(n, 0, n, true))
		b.Run(fmt.Sprintf("n=%d/intact", n), func(b *testing.B) {
			for b.Loop() {
				planOf(b, intact, Options{From: []string{from}})
			}
		})
	}
}
