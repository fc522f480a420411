package source

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// crawl writes an archive like that of a crawler, with about size decoded bytes. One response in five is an image. It
// returns the number of responses.
func crawl(w io.Writer, size int) (replies int, err error) {
	random := rand.New(rand.NewPCG(1, 2))
	var words []string
	for range 5000 {
		b := make([]byte, 2+random.IntN(9))
		for i := range b {
			b[i] = 'a' + byte(random.IntN(26))
		}
		words = append(words, string(b))
	}
	z := gzip.NewWriter(nil)
	put := func(record string) error {
		z.Reset(w)
		if _, err := io.WriteString(z, record); err != nil {
			return err
		}
		return z.Close()
	}
	for size > 0 {
		url := fmt.Sprintf("http://www.example.com/%s/%s/%d.html", words[random.IntN(100)],
			words[random.IntN(len(words))], replies)
		var body strings.Builder
		media := "text/html"
		if replies%5 == 4 {
			media = "image/jpeg"
			for n := 5000 + random.IntN(60000); body.Len() < n; {
				fmt.Fprintf(&body, "%c", byte(random.Uint32()))
			}
		} else {
			for n := 2000 + random.IntN(60000); body.Len() < n; {
				fmt.Fprintf(&body, "<p class=%q>", words[random.IntN(20)])
				for range 5 + random.IntN(60) {
					body.WriteString(words[int(float64(len(words))*random.Float64()*random.Float64())] + " ")
				}
				body.WriteString("</p>\n")
			}
		}
		id := fmt.Sprintf("<urn:uuid:%08x-0000-4000-8000-%012x>", replies, random.Uint64()>>16)
		request := sourcetest.WARCRecord("request", url, "GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n",
			"WARC-Date: 2024-05-06T07:08:09Z",
			"Content-Type: application/http; msgtype=request", "WARC-Concurrent-To: "+id)
		response := sourcetest.WARCRecord("response", url,
			sourcetest.Reply("200 OK", body.String(), "Content-Type: "+media, "Server: test"),
			"WARC-Date: 2024-05-06T07:08:09Z",
			"WARC-Record-ID: "+id, "WARC-Payload-Digest: sha1:"+id[10:40],
			"Content-Type: application/http; msgtype=response")
		if err := put(response); err != nil {
			return 0, err
		}
		if err := put(request); err != nil {
			return 0, err
		}
		size -= len(request) + len(response)
		replies++
	}
	return replies, nil
}

// BenchmarkIndex compares indexing with decompressing the same file. MB/s refer to the compressed size.
func BenchmarkIndex(b *testing.B) {
	path := filepath.Join(b.TempDir(), "crawl.warc.gz")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	replies, err := crawl(w, 200<<20)
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		b.Fatal(err)
	}
	f.Close()
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}

	b.Run("index", func(b *testing.B) {
		b.SetBytes(info.Size())
		b.ReportAllocs()
		for b.Loop() {
			s, err := Open(WARC, path)
			if err != nil || s.Stats().Kept != replies {
				b.Fatal(err, s.Stats(), replies)
			}
		}
		b.ReportMetric(held(func() any { s, _ := Open(WARC, path); return s })/float64(replies),
			"B/record")
		b.ReportMetric(peakOf(func() { Open(WARC, path) })/float64(replies), "peak-B/record")
	})
	b.Run("gzip.Reader", func(b *testing.B) {
		b.SetBytes(info.Size())
		for b.Loop() {
			f, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			z, err := gzip.NewReader(bufio.NewReaderSize(f, (256 << 10)))
			if err == nil {
				_, err = io.Copy(io.Discard, z)
			}
			if err != nil {
				b.Fatal(err)
			}
			f.Close()
		}
	})
	b.Run("gunzip", func(b *testing.B) {
		gunzip := webcapturetest.Program(b, "gunzip")
		b.SetBytes(info.Size())
		for b.Loop() {
			cmd := exec.Command(gunzip, "-c", path)
			cmd.Stdout = nil // the null device
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// held returns the number of bytes of memory that the result of make keeps in use.
func held(make func() any) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	v := make()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(v)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}

// peakOf returns by how many bytes the heap grows at most while f runs.
func peakOf(f func()) float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, most := m.HeapInuse, m.HeapInuse
	done, ended := make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse)
			}
		}
	}()
	f()
	close(done)
	<-ended
	return float64(most - before)
}
