//go:build unix

package batch

import (
	"bytes"
	"compress/zlib"
	"io"
	"os"
	"regexp"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/api"
)

// BenchmarkSmallFiles audits 300 small files, one after the other, and in turn with that has pdfcpu
// read and validate them, and scans them. It reports the ratios of the processor time, since
// machines are busy: for all of them, and for each kind by itself.
func BenchmarkSmallFiles(b *testing.B) {
	api.DisableConfigDir()
	all, _ := smallFiles(b)
	kinds := map[string][]string{"all": all}
	for rec := range Run(b.Context(), Inputs(slices.Values(all), Where{}), Options{}) {
		kind := "unopened"
		switch {
		case rec.Report == nil:
		case rec.Report.Present:
			kind = "database"
		default:
			kind = "none"
		}
		kinds[kind] = append(kinds[kind], rec.Path)
	}
	for _, kind := range []string{"all", "none", "database", "unopened"} {
		b.Run(kind, func(b *testing.B) { compare(b, kinds[kind]) })
	}
}

func compare(b *testing.B, paths []string) {
	if len(paths) == 0 {
		b.Skip("there are no such files")
	}
	var webcap, scan, pdfcpu []time.Duration
	for b.Loop() {
		webcap = append(webcap, processorTime(b, func() {
			for range Run(b.Context(), Inputs(slices.Values(paths), Where{}), Options{Workers: 1}) {
			}
		}))
		scan = append(scan, processorTime(b, func() { scanFiles(b, paths) }))
		pdfcpu = append(pdfcpu, processorTime(b, func() {
			for _, p := range paths {
				pdfcpuReads(p)
			}
		}))
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2])
	}
	b.ReportMetric(median(webcap)/float64(len(paths))/float64(time.Microsecond), "µs/file")
	b.ReportMetric(median(webcap)/median(scan), "webcap/scan")
	b.ReportMetric(median(pdfcpu)/median(webcap), "pdfcpu/webcap")
}

// processorTime returns how long this process is at work while do is done.
func processorTime(b *testing.B, do func()) time.Duration {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	do()
	return used() - before
}

var objectStream = regexp.MustCompile(`/ObjStm[^>]*>>\s*stream\r?\n`)

// scanFiles does what any auditor has to do with files: it reads them, looks for "/URLS", and
// inflates the object streams.
func scanFiles(b *testing.B, paths []string) {
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		bytes.Index(data, []byte("/URLS"))
		for _, at := range objectStream.FindAllIndex(data, -1) {
			if z, err := zlib.NewReader(bytes.NewReader(data[at[1]:])); err == nil {
				io.Copy(io.Discard, z)
			}
		}
	}
}

// pdfcpuReads reports whether pdfcpu can read a file: some make it panic.
func pdfcpuReads(path string) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	_, err := api.ReadContextFile(path)
	return err == nil
}
