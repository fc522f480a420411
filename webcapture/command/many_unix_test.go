//go:build unix

package command

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// manyInputs is how many inputs TestManyInputsKilled audits; docs/scale.md has figures for 50,000.
var manyInputs = flag.Int("inputs", 0, "the number of inputs of TestManyInputsKilled; 0 for some")

// A run over inputs of all kinds, half of them in archives, that is killed again and again has
// in the end, to the byte, the records of a run that was not: one for each input.
func TestManyInputsKilled(t *testing.T) {
	n := *manyInputs
	if n == 0 {
		n = 400
		if webcapturetest.All() {
			n = 4000
		}
	}
	dir := t.TempDir()
	want := manyFiles(t, filepath.Join(dir, "in"), n)
	audit := func() *exec.Cmd {
		c := exec.Command("webcap", "audit", "in", "--journal", "run", "--output", "csv:out", "--timeout", "5m")
		c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+dir)
		return c
	}
	results := func() (journal, csv string, took time.Duration) {
		begun := time.Now()
		out, err := audit().CombinedOutput()
		if code := exitCode(err); code != exitFailed {
			t.Fatalf("exit %d: %.2000s", code, out)
		}
		took = time.Since(begun)
		return withoutSeconds(t, filepath.Join(dir, "run")), withoutSeconds(t, filepath.Join(dir, "out")), took
	}
	journal, csv, took := results()
	if got := strings.Count(journal, `{"type":"input"`); got != want {
		t.Errorf("%d records, want %d", got, want)
	}
	t.Logf("%d inputs in %v: %.0f a second", want, took.Round(time.Millisecond), float64(want)/took.Seconds())
	os.Remove(filepath.Join(dir, "run"))
	r := rand.New(rand.NewPCG(1, 15))
	for range 5 {
		c := audit()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(took/20+time.Duration(r.Int64N(int64(took)/4)), func() { c.Process.Signal(syscall.SIGKILL) })
		c.Wait()
		text, _ := os.ReadFile(filepath.Join(dir, "run"))
		t.Logf("killed after %d records", bytes.Count(text, []byte(`{"type":"input"`)))
	}
	again, csvAgain, _ := results()
	if again != journal {
		t.Errorf("the journal of the run that was killed is another: %s", firstDifference([]byte(again), []byte(journal)))
	}
	if csvAgain != csv {
		t.Errorf("the results of the run that was killed are others: %s", firstDifference([]byte(csvAgain), []byte(csv)))
	}
	for _, name := range names(t, dir) {
		if strings.HasPrefix(name, "webcap-") {
			t.Errorf("%s is left", name)
		}
	}
}

func exitCode(err error) int {
	exit, ok := err.(*exec.ExitError)
	if !ok {
		return -1
	}
	return exit.ExitCode()
}

var secondsOf = regexp.MustCompile(`,"seconds":[0-9.e-]+`)

func withoutSeconds(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(secondsOf.ReplaceAll(text, nil))
}

// manyFiles makes a folder with n files, half of them in archives of all kinds, and returns how
// many records they have.
func manyFiles(t *testing.T, dir string, n int) int {
	t.Helper()
	pool := manyKinds(t)
	records := 0
	perArchive := max(n/40, 5)
	for i := 0; i < n; {
		folder := filepath.Join(dir, fmt.Sprintf("%03d", i*100/n))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		for range perArchive {
			writeBytes(t, filepath.Join(folder, fmt.Sprintf("%06d.pdf", i)), pool[i%len(pool)])
			i++
			records++
		}
		kind := i / perArchive % 4
		var members [][]byte
		for range perArchive {
			members = append(members, pool[i%len(pool)])
			i++
		}
		name := []string{"a.zip", "b.tar.zst", "c.warc.gz", "d.wacz"}[kind]
		writeBytes(t, filepath.Join(folder, name), manyArchive(t, kind, members))
		records += len(members)
	}
	// Archives that are cut off, or not read, and a file that is large.
	whole := manyArchive(t, 2, pool[:20])
	writeBytes(t, filepath.Join(dir, "cut.warc.gz"), whole[:len(whole)-1000])
	writeBytes(t, filepath.Join(dir, "other.7z"), []byte("7z\xbc\xaf\x27\x1c\x00\x04"))
	huge := filepath.Join(dir, "huge.pdf")
	writeBytes(t, huge, pool[0])
	size := int64(64 << 20)
	if *manyInputs > 0 {
		size = 2 << 30
	}
	if err := os.Truncate(huge, size); err != nil {
		t.Log(err)
	}
	return records + 20 + 1 + 1
}

func writeBytes(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// manyKinds returns PDF files of many kinds, and what is none.
func manyKinds(t *testing.T) [][]byte {
	pool := [][]byte{[]byte("not a PDF"), {}, []byte("%PDF-1.4\nand no more")}
	for i := range 30 {
		d := webcapturetest.Sets(1+i, webcapturetest.Options{Images: i % 3, Leaf: 4 + i%7})
		layout := webcapturetest.Layout{}
		if i%2 == 1 {
			layout = webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 10}
		}
		data := d.Bytes(layout)
		switch i % 5 {
		case 1:
			data = bytes.ReplaceAll(data, []byte("/Limits"), []byte("/Limitx"))
		case 2:
			data = data[:len(data)*2/3]
		case 3:
			data = bytes.Replace(data, []byte("xref"), []byte("xxxx"), 1)
		}
		pool = append(pool, data)
	}
	pool = append(pool, webcapturetest.Sets(3000, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})) // more than is held in memory
	paths, _ := filepath.Glob(root + "/../shared/corpus/*/*.pdf")
	for _, p := range paths {
		if data, err := os.ReadFile(p); err == nil && len(data) < 1<<20 {
			pool = append(pool, data)
		}
	}
	return pool
}

// manyArchive returns an archive: zip, tar.zst, warc.gz or WACZ.
func manyArchive(t *testing.T, kind int, members [][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	switch kind {
	case 0:
		z := zip.NewWriter(&b)
		for i, m := range members {
			w, err := z.Create(fmt.Sprintf("%d.pdf", i))
			check(err)
			w.Write(m)
		}
		check(z.Close())
	case 1:
		c, err := zstd.NewWriter(&b)
		check(err)
		w := tar.NewWriter(c)
		for i, m := range members {
			check(w.WriteHeader(&tar.Header{Name: fmt.Sprintf("%d.pdf", i), Mode: 0o644, Size: int64(len(m))}))
			w.Write(m)
		}
		check(w.Close())
		check(c.Close())
	case 2:
		for i, m := range members {
			z := gzip.NewWriter(&b)
			block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n%s", m)
			fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d.pdf\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(block), block)
			check(z.Close())
		}
	case 3:
		z := zip.NewWriter(&b)
		w, err := z.CreateHeader(&zip.FileHeader{Name: "archive/data.warc.gz", Method: zip.Store})
		check(err)
		io.Copy(w, bytes.NewReader(manyArchive(t, 2, members)))
		check(z.Close())
	}
	return b.Bytes()
}
