package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// objectStreams is the layout of newer PDF files, with cross-reference and object streams.
var objectStreams = webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 100}

// kinds are the functions that make inputs, by kind. Each writes n items to a path.
var kinds = map[string]func(path string, n int) error{
	"table": func(path string, n int) error {
		return writeSets(path, n, webcapturetest.Options{Leaf: 64, Pages: 2000}, webcapturetest.Layout{})
	},
	"objstm": func(path string, n int) error {
		return writeSets(path, n, webcapturetest.Options{Leaf: 64, Pages: 2000}, objectStreams)
	},
	"broken": func(path string, n int) error {
		return writeSets(path, n, webcapturetest.Options{Leaf: 64, Pages: 2000, TextIDs: true}, webcapturetest.Layout{})
	},
	"images":   writeImages,
	"small":    writeSmall,
	"stored":   func(path string, n int) error { return writeZip(path, n, zip.Store) },
	"deflated": func(path string, n int) error { return writeZip(path, n, zip.Deflate) },
	"warc":     writeWARC,
	"urls":     writeURLs,
}

// path returns the path of an input.
func (b *bench) path(kind string, n int) string {
	return filepath.Join(b.work, fmt.Sprintf("%s-%d", kind, n))
}

// input returns the path of an input. If the input does not exist, input starts another process to make it.
func (b *bench) input(kind string, n int) (string, error) {
	path := b.path(kind, n)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	fmt.Fprintf(b.out, "making %s\n", filepath.Base(path))
	if out, err := exec.Command(self, "make", kind, strconv.Itoa(n), path).CombinedOutput(); err != nil {
		return "", fmt.Errorf("make %s: %w: %s", kind, err, out)
	}
	return path, nil
}

// makeInput makes an input. args are the kind, the number of items, and the path.
func makeInput(args []string) error {
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	return kinds[args[0]](args[2], n)
}

// writeFile writes a file through a buffer.
func writeFile(path string, write func(w io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return cmp.Or(write(w), w.Flush(), f.Close())
}

func writeSets(path string, n int, o webcapturetest.Options, l webcapturetest.Layout) error {
	return writeFile(path, func(w io.Writer) error { return webcapturetest.WriteSets(w, n, o, l) })
}

// writeImages writes a capture of a page with n images of about 1 MB.
func writeImages(path string, n int) error {
	random := rand.New(rand.NewPCG(1, 2))
	resources := []webcapturetest.Resource{{URL: "http://www.example.org/", MediaType: "text/html", Body: []byte("<img>")}}
	for i := range n {
		noise := image.NewGray(image.Rect(0, 0, 1000, 900))
		for j := range noise.Pix {
			noise.Pix[j] = byte(random.Uint32())
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, noise, &jpeg.Options{Quality: 100}); err != nil {
			return err
		}
		resources = append(resources, webcapturetest.Resource{URL: fmt.Sprintf("http://www.example.org/%d.jpg", i),
			MediaType: "image/jpeg", Body: b.Bytes()})
		resources[0].Aux = append(resources[0].Aux, i+1)
	}
	return writeFile(path, func(w io.Writer) error {
		return webcapturetest.Site(resources, webcapturetest.SiteOptions{}).Encode(w, webcapturetest.Layout{})
	})
}

// small returns the data of a small file: a capture of one to eight pages, in one of two layouts.
func small(i int) []byte {
	l := webcapturetest.Layout{}
	if i%2 == 1 {
		l = objectStreams
	}
	return webcapturetest.Sets(1+i%8, webcapturetest.Options{Images: i % 3}).Bytes(l)
}

// writeSmall writes n small files to a folder.
func writeSmall(path string, n int) error {
	if err := os.Mkdir(path, 0o777); err != nil {
		return err
	}
	for i := range n {
		if err := os.WriteFile(filepath.Join(path, fmt.Sprintf("%06d.pdf", i)), small(i), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// writeZip writes n small files to a zip file.
func writeZip(path string, n int, method uint16) error {
	return writeFile(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for i := range n {
			member, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%06d.pdf", i), Method: method})
			if err == nil {
				_, err = member.Write(small(i))
			}
			if err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// writeWARC writes responses with n MB before compression. Each record is a gzip member, as in files of crawlers.
func writeWARC(path string, n int) error {
	random := rand.New(rand.NewPCG(1, 2))
	words := words(random, 5000)
	return writeFile(path, func(w io.Writer) error {
		z := gzip.NewWriter(nil)
		for i, size := 0, 0; size < n<<20; i++ {
			var body strings.Builder
			for want := 2000 + random.IntN(60000); body.Len() < want; {
				body.WriteString(words[int(float64(len(words))*random.Float64()*random.Float64())] + " ")
			}
			url := fmt.Sprintf("http://www.example.com/%s/%d.html", words[random.IntN(len(words))], i)
			record := sourcetest.WARCRecord("response", url,
				sourcetest.Reply("200 OK", body.String(), "Content-Type: text/html"),
				"WARC-Date: 2024-05-06T07:08:09Z", fmt.Sprintf("WARC-Record-ID: <urn:uuid:%032x>", i),
				"Content-Type: application/http; msgtype=response")
			size += len(record)
			z.Reset(w)
			if _, err := io.WriteString(z, record); err != nil {
				return err
			}
			if err := z.Close(); err != nil {
				return err
			}
		}
		return nil
	})
}

func words(random *rand.Rand, n int) []string {
	var list []string
	for range n {
		b := make([]byte, 2+random.IntN(9))
		for i := range b {
			b[i] = 'a' + byte(random.IntN(26))
		}
		list = append(list, string(b))
	}
	return list
}

// writeURLs writes n URLs, one per line. A third have a query, an eighth have a fragment, and a few have capitals in
// the host or dot segments.
func writeURLs(path string, n int) error {
	random := rand.New(rand.NewPCG(14, 10))
	hosts := []string{"www.example.com", "docs.example.org", "news.example.co.uk", "WWW.Example.net", "archive.org",
		"static01.cdn.example.net", "localhost.example", "a.long.name.of.some.university.example.edu"}
	words := words(random, 5000)
	word := func() string { return words[random.IntN(len(words))] }
	return writeFile(path, func(w io.Writer) error {
		for range n {
			url := "http://" + hosts[random.IntN(len(hosts))]
			for range 2 + random.IntN(4) {
				url += "/" + word() + word()
			}
			switch random.IntN(25) {
			case 0:
				url += "/../" + word()
			case 1, 2, 3, 4, 5, 6, 7, 8:
				url += ".html?" + word() + "=" + word() + "&" + word() + "=%20" + word()
			}
			if random.IntN(8) == 0 {
				url += "#" + word()
			}
			if _, err := io.WriteString(w, url+"\n"); err != nil {
				return err
			}
		}
		return nil
	})
}
