package audit_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

var benchLayouts = []struct {
	name   string
	layout webcapturetest.Layout
}{
	{"table", webcapturetest.Layout{}},
	{"objstm", webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 100}},
}

// eachSize runs a benchmark on files of 10^3 to 10^6 content sets, in both
// layouts. Under -short the largest are left out.
func eachSize(b *testing.B, bench func(b *testing.B, path string)) {
	sizes := []int{1_000, 10_000, 100_000, 1_000_000}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, l := range benchLayouts {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("%s/n=%d", l.name, n), func(b *testing.B) {
				bench(b, benchFile(b, n, l.name, l.layout))
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/set")
			})
		}
	}
}

// benchFile writes a file of n sets, once for all benchmarks of a run.
func benchFile(b *testing.B, n int, name string, l webcapturetest.Layout) string {
	path := filepath.Join(benchDir, fmt.Sprintf("%s-%d.pdf", name, n))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	err = webcapturetest.WriteSets(w, n, webcapturetest.Options{Leaf: 64, Pages: 2000}, l)
	if err := cmp.Or(err, w.Flush(), f.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

var benchDir string

func TestMain(m *testing.M) {
	var err error
	if benchDir, err = os.MkdirTemp("", "webcap-bench"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := webcapturetest.Run(m)
	os.RemoveAll(benchDir)
	os.Exit(code)
}

// BenchmarkAudit is the whole audit: open, both trees, every set, all rules.
func BenchmarkAudit(b *testing.B) {
	eachSize(b, func(b *testing.B, path string) {
		b.ReportAllocs()
		for b.Loop() {
			rep, err := audit.File(b.Context(), path, audit.Options{})
			if err != nil {
				b.Fatal(err)
			}
			if rep.URLS == 0 || rep.URLS != rep.IDS {
				b.Fatalf("%d URLS, %d IDS", rep.URLS, rep.IDS)
			}
		}
	})
}

// BenchmarkWalk is the baseline for BenchmarkAudit: the same file, both trees and every set, in file order, on one
// core, without links and rules.
func BenchmarkWalk(b *testing.B) {
	eachSize(b, func(b *testing.B, path string) {
		b.ReportAllocs()
		for b.Loop() {
			walk(b, path)
		}
	})
}

func walk(b *testing.B, path string) {
	f, err := webcapture.Open(context.Background(), path, webcapture.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		b.Fatal(err)
	}
	var refs []object.Ref
	for _, e := range db.IDS.Entries() {
		ref, _ := e.Value.Ref()
		refs = append(refs, ref)
	}
	f.SortByPosition(refs)
	r := f.NewReader()
	var set webcapture.ContentSet
	for _, ref := range refs {
		if err := r.Read(object.MakeRef(ref), &set); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMutool measures mutool, the fastest other program: it walks both trees without any check, in its own
// process. The benchmark needs mutool.
func BenchmarkMutool(b *testing.B) {
	mutool := webcapturetest.Program(b, "mutool")
	eachSize(b, func(b *testing.B, path string) {
		for b.Loop() {
			if out, err := exec.Command(mutool, "run", "../../testdata/bench/walk.js", path).CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
		}
	})
}
