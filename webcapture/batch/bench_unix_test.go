//go:build unix

package batch

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/sha512"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/api"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// BenchmarkSmallFiles audits 300 small files one by one. Alternating with that, pdfcpu reads and validates them,
// they are scanned, and the minimal work of any audit is done. It reports ratios of processor time, because
// machines are busy: for all files, and for each kind.
func BenchmarkSmallFiles(b *testing.B) {
	api.DisableConfigDir()
	all, _ := smallFiles(b)
	kinds := map[string][]string{"all": all}
	for rec := range Run(b.Context(), Inputs(slices.Values(all), PathOptions{}), Options{}) {
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
	var webcap, scan, least, pdfcpu []time.Duration
	keys := fileKeys(b, paths)
	for b.Loop() {
		webcap = append(webcap, processorTime(b, func() {
			for range Run(b.Context(), Inputs(slices.Values(paths), PathOptions{}), Options{Workers: 1}) {
			}
		}))
		scan = append(scan, processorTime(b, func() { scanFiles(b, paths) }))
		least = append(least, processorTime(b, func() { digestFiles(b, paths, keys) }))
		pdfcpu = append(pdfcpu, processorTime(b, func() {
			for _, p := range paths {
				pdfcpuReads(p)
			}
		}))
	}
	b.ReportMetric(median(webcap)/float64(len(paths))/float64(time.Microsecond), "µs/file")
	b.ReportMetric(median(webcap)/median(scan), "webcap/scan")
	b.ReportMetric(median(webcap)/median(least), "webcap/floor")
	b.ReportMetric(median(least)/median(scan), "floor/scan")
	b.ReportMetric(median(pdfcpu)/median(webcap), "pdfcpu/webcap")
}

// BenchmarkSmallMembers audits the small files as they are and as members of zip files, deflated and stored,
// alternating, and reports the rate of members to that of files. Inflating and checking the members alone
// is what every audit must do.
func BenchmarkSmallMembers(b *testing.B) {
	paths, _ := smallFiles(b)
	deflated, stored := zipOf(b, paths, zip.Deflate), zipOf(b, paths, zip.Store)
	audited := func(paths ...string) time.Duration {
		return processorTime(b, func() {
			for range Run(b.Context(), Inputs(slices.Values(paths), PathOptions{}), Options{Workers: 1}) {
			}
		})
	}
	var files, inflated, asTheyAre, inflating []time.Duration
	for b.Loop() {
		files = append(files, audited(paths...))
		inflated = append(inflated, audited(deflated))
		asTheyAre = append(asTheyAre, audited(stored))
		inflating = append(inflating, processorTime(b, func() { unzip(b, deflated) }))
	}
	b.ReportMetric(median(files)/float64(len(paths))/float64(time.Microsecond), "µs/file")
	b.ReportMetric(median(files)/median(inflated), "deflated-rate")
	b.ReportMetric(median(files)/median(asTheyAre), "stored-rate")
	b.ReportMetric(median(inflating)/median(files), "inflating/files")
}

// BenchmarkSmallFilesJournal audits the small files with a journal and without one, alternating, and reports
// the ratio. They are audited often, so that the beginning and the end of a journal do not count.
func BenchmarkSmallFilesJournal(b *testing.B) {
	paths, _ := smallFiles(b)
	paths = slices.Repeat(paths, 10)
	dir, head := b.TempDir(), report.Head{Version: "1", Rules: audit.Rules()}
	var without, with []time.Duration
	for b.Loop() {
		without = append(without, processorTime(b, func() {
			for range Run(b.Context(), Inputs(slices.Values(paths), PathOptions{}), Options{Workers: 1}) {
			}
		}))
		with = append(with, processorTime(b, func() {
			j, err := OpenJournal(filepath.Join(dir, strconv.Itoa(len(with))), head)
			if err != nil {
				b.Fatal(err)
			}
			for _, err := range j.Run(b.Context(), Inputs(slices.Values(paths), PathOptions{}), Options{Workers: 1}) {
				if err != nil {
					b.Fatal(err)
				}
			}
			if err := j.Close(true); err != nil {
				b.Fatal(err)
			}
		}))
	}
	b.ReportMetric(median(without)/float64(len(paths))/float64(time.Microsecond), "µs/file")
	b.ReportMetric(median(with)/median(without), "with/without")
}

// zipOf returns the path of a zip file of files.
func zipOf(b *testing.B, paths []string, method uint16) string {
	f, err := os.Create(filepath.Join(b.TempDir(), "members.zip"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: filepath.Base(p), Method: method})
		if err != nil {
			b.Fatal(err)
		}
		w.Write(data)
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	return f.Name()
}

// unzip inflates the members of a zip file, and checks them.
func unzip(b *testing.B, path string) {
	z, err := zip.OpenReader(path)
	if err != nil {
		b.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, r); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

func median(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2])
}

// processorTime returns the processor time that this process uses for do. It collects earlier garbage first.
func processorTime(b *testing.B, do func()) time.Duration {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	runtime.GC()
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

// fileKeys returns O and U of the files that are encrypted with revision 6, by their paths.
func fileKeys(b *testing.B, paths []string) map[string][2][]byte {
	keys := map[string][2][]byte{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		at := bytes.LastIndex(data[:max(0, bytes.Index(data, []byte("/Standard")))], []byte(" obj"))
		if at < 0 {
			continue
		}
		o, _, _ := object.Parse(data, at+len(" obj"))
		d, _ := o.Dict()
		if r, _ := d.Lookup("R").Int(); r == 6 {
			owner, _ := d.Lookup("O").AppendString(nil)
			user, _ := d.Lookup("U").AppendString(nil)
			keys[p] = [2][]byte{owner[:48], user[:48]}
		}
	}
	return keys
}

// digestFiles does the minimal work of an audit: it reads files and computes their SHA-256. It also checks that the
// empty password does not open the files that are encrypted with revision 6.
func digestFiles(b *testing.B, paths []string, keys map[string][2][]byte) {
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		sha256.Sum256(data)
		if k, ok := keys[p]; ok && (opens(k[1], nil) || opens(k[0], k[1])) {
			b.Fatalf("%s: the empty password opens it", p)
		}
	}
}

// opens reports whether the empty password matches check, by algorithms 2.A and 2.B of ISO 32000-2. check is U, with
// nil as user, or O, with U as user.
func opens(check, user []byte) bool {
	first := sha256.Sum256(slices.Concat(check[32:40], user))
	k := first[:]
	for i, last := 0, 0; i < 64 || last > i-32; i++ {
		e := bytes.Repeat(slices.Concat(k, user), 64)
		c, _ := aes.NewCipher(k[:16])
		cipher.NewCBCEncrypter(c, k[16:32]).CryptBlocks(e, e)
		switch last = int(e[len(e)-1]); new(big.Int).Mod(new(big.Int).SetBytes(e[:16]), big.NewInt(3)).Int64() {
		case 0:
			s := sha256.Sum256(e)
			k = s[:]
		case 1:
			s := sha512.Sum384(e)
			k = s[:]
		case 2:
			s := sha512.Sum512(e)
			k = s[:]
		}
	}
	return bytes.Equal(k[:32], check[:32])
}

// pdfcpuReads reports whether pdfcpu can read a file: some make it panic.
func pdfcpuReads(path string) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	_, err := api.ReadContextFile(path)
	return err == nil
}
