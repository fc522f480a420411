package batch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// smallFiles writes 300 small files, as in archives: real ones, or generated captures without the corpus.
func smallFiles(b *testing.B) (paths []string, size int64) {
	b.Helper()
	dir := b.TempDir()
	real := webcapturetest.Corpus("real", "negative")
	for i := range 300 {
		path := filepath.Join(dir, fmt.Sprintf("%03d.pdf", i))
		var data []byte
		if len(real) > 0 {
			data, _ = os.ReadFile(real[i%len(real)])
		} else {
			data = webcapturetest.Sets(1+i%50, webcapturetest.Options{Images: i % 3}).Bytes(webcapturetest.Layout{})
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			b.Fatal(err)
		}
		paths, size = append(paths, path), size+int64(len(data))
	}
	return paths, size
}

// BenchmarkSmallFilesQpdf has qpdf check the same files, a process each.
func BenchmarkSmallFilesQpdf(b *testing.B) {
	webcapturetest.Program(b, "qpdf")
	paths, size := smallFiles(b)
	b.SetBytes(size)
	for b.Loop() {
		for _, p := range paths {
			exec.Command("qpdf", "--check", p).Run()
		}
	}
}

// BenchmarkJournal writes the records of 300 small files to a journal.
func BenchmarkJournal(b *testing.B) {
	paths, size := smallFiles(b)
	b.SetBytes(size)
	list := slices.Collect(Run(b.Context(), Inputs(slices.Values(paths), PathOptions{}), Options{}))
	j, err := OpenJournal(filepath.Join(b.TempDir(), "j"), report.Head{Version: "1", Rules: audit.Rules()})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close(true)
	j.to.Writer = j.f
	for b.Loop() {
		for _, rec := range list {
			if err := j.add(rec); err != nil {
				b.Fatal(err)
			}
		}
	}
}
