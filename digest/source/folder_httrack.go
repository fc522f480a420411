package source

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/flate"
)

// A httrack is the cache of a mirror of HTTrack, hts-cache/new.zip: an entry for each URL, which is
// its name. HTTrack changes the links of pages in the mirror; the cache has them as they were
// retrieved, and of other files it says which those in the mirror are. What it says is a header like
// that of a reply, in place of the extra field before the data of an entry.
type httrack struct {
	zip     *openedZip
	path    string
	root    *os.Root // of the mirror
	kept    []*zip.File
	entries map[string][]*zip.File // those of kept, by what URLs alike have in common
	stats   Stats
}

// openHTTrack opens the cache of the mirror that its folder is in.
func openHTTrack(name string, _ Options) (Source, error) {
	z, err := openZip(name, maxCacheDirectory)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(filepath.Dir(filepath.Dir(name)))
	if err != nil {
		z.Close()
		return nil, err
	}
	h := &httrack{zip: z, path: name, root: root, entries: map[string][]*zip.File{}}
	t := tally{Stats: Stats{Files: 1, Bytes: z.size}}
	for _, f := range z.File {
		switch _, reason, err := h.meta(f); {
		case err != nil:
			t.skip(h.where(f), "an entry whose header cannot be read")
		case reason != "":
			t.skip(h.where(f), reason)
		default:
			k := Alike(httrackURL(f))
			h.kept, h.entries[k] = append(h.kept, f), append(h.entries[k], f)
			t.Kept++
		}
	}
	h.stats = t.stats()
	if t.Kept == 0 {
		h.Close()
		return nil, fmt.Errorf("no entry is of use%s", firstSkip(h.stats))
	}
	return h, nil
}

// httrackURL returns the URL of an entry. Old versions leave out the scheme of http.
func httrackURL(f *zip.File) string {
	if strings.Contains(f.Name, "://") {
		return f.Name
	}
	return "http://" + f.Name
}

func (h *httrack) where(f *zip.File) string { return h.path + ", " + f.Name }

// meta returns what the cache says of an entry, or the reason why that is of no use. The error
// says that there is no such header.
func (h *httrack) meta(f *zip.File) (m *header, reason string, err error) {
	text, err := localExtra(h.zip.data, f)
	if err != nil {
		return nil, "", err
	}
	m, err = readHeader(bufio.NewReader(bytes.NewReader(append(text, "\r\n\r\n"...))))
	if err != nil {
		return nil, "", err
	}
	if m.status == 0 {
		return nil, "", errHeader
	}
	return m, m.unusable(), nil
}

// localExtra returns the extra field of the header before the data of an entry, which is not
// that in the directory.
func localExtra(r io.ReaderAt, f *zip.File) ([]byte, error) {
	const size = 30 // of the header, without the name and the field
	end, err := f.DataOffset()
	if err != nil {
		return nil, err
	}
	start := max(0, end-size-int64(len(f.Name))-1<<16)
	b := make([]byte, end-start)
	if _, err := r.ReadAt(b, start); err != nil {
		return nil, err
	}
	for at := len(b) - size - len(f.Name); at >= 0; at-- {
		head := b[at:]
		if !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
			continue
		}
		name, extra := int(binary.LittleEndian.Uint16(head[26:])), int(binary.LittleEndian.Uint16(head[28:]))
		if size+name+extra == len(head) && string(head[size:size+name]) == f.Name {
			return head[size+name:], nil
		}
	}
	return nil, errHeader
}

func (h *httrack) Lookup(url string) iter.Seq2[*Candidate, error] { return h.lookup(url, sameURL(url)) }

func (h *httrack) LookupAlike(url string) iter.Seq2[*Candidate, error] {
	return h.lookup(url, alikeURL(url))
}

// lookup yields what is kept of URLs like one, if is says so.
func (h *httrack) lookup(url string, is func(string) bool) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		for _, f := range h.entries[Alike(url)] {
			if !is(httrackURL(f)) {
				continue
			}
			if c, err := h.candidate(f); !yield(c, err) {
				return
			}
		}
	}
}

// list yields all entries; see All.
func (h *httrack) list(yield func(*Candidate, error) bool) {
	for _, f := range h.kept {
		if c, err := h.candidate(f); !yield(c, err) {
			return
		}
	}
}

// candidate returns what an entry is of.
func (h *httrack) candidate(f *zip.File) (*Candidate, error) {
	m, _, err := h.meta(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.where(f), err)
	}
	c := &Candidate{
		URL:       httrackURL(f),
		MediaType: m.get("Content-Type"),
		Where:     h.where(f),
		Status:    m.status,
		Size:      int64(f.UncompressedSize64),
		Redirect:  m.redirect(),
		Failed:    m.failed(),
	}
	if c.Redirect != "" {
		return c, nil
	}
	open := func() (io.ReadCloser, error) { return openEntry(f) }
	if m.get("X-In-Cache") != "1" {
		name := filepath.ToSlash(m.get("X-Save"))
		info, err := h.root.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: the mirror does not have the file %.200q", h.where(f), name)
		}
		c.Where += ", in the file " + name
		c.Data = filepath.Join(h.root.Name(), filepath.FromSlash(name))
		c.Size = info.Size()
		c.Uncertain = m.get("X-Size") != fmt.Sprint(info.Size()) // another one was stored since
		open = func() (io.ReadCloser, error) { return h.root.Open(name) }
	}
	c.Bodies = []Body{NewBody(AsStored, func() (io.ReadCloser, error) {
		r, err := open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Where, err)
		}
		return r, nil
	})}
	return c, nil
}

// openEntry opens the data of an entry. Those whose names end in a slash are folders to
// archive/zip, and that of the first page of a host ends so.
func openEntry(f *zip.File) (io.ReadCloser, error) {
	raw, err := f.OpenRaw()
	if err != nil {
		return nil, err
	}
	e := &zipEntryReader{Reader: raw, left: int64(f.UncompressedSize64), want: f.CRC32}
	switch f.Method {
	case zip.Store:
	case zip.Deflate:
		e.Reader = flate.NewReader(raw)
	default:
		return nil, errEntry
	}
	return io.NopCloser(e), nil
}

// A zipEntryReader reads the data of an entry, which have to be what the directory says.
type zipEntryReader struct {
	io.Reader
	left int64
	sum  uint32
	want uint32
}

func (e *zipEntryReader) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	e.left -= int64(n)
	e.sum = crc32.Update(e.sum, crc32.IEEETable, p[:n])
	switch {
	case e.left < 0, err == io.EOF && (e.left > 0 || e.sum != e.want), err != nil && err != io.EOF && pathError(err) == nil:
		return n, errEntry
	}
	return n, err
}

func (h *httrack) Stats() Stats { return h.stats }

func (h *httrack) Close() error {
	h.root.Close()
	return h.zip.Close()
}
