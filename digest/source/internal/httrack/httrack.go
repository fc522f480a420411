// Package httrack opens the caches of HTTrack.
package httrack

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
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
	"github.com/webcap-tools/webcap/digest/source/internal/zipfile"
)

// httrack is the cache of a mirror of HTTrack, hts-cache/new.zip. The cache has an entry for each URL; the name of the
// entry is the URL. HTTrack changes the links of pages in the mirror, but the cache has the original pages. For other
// files, the entry has only the name of the file in the mirror. The metadata of an entry have the form of a response
// header. They are in the extra field of the local header.
type httrack struct {
	zip     *zipfile.Archive
	path    string
	root    *os.Root // folder of the mirror
	kept    []*zip.File
	entries map[string][]*zip.File // the entries in kept, by the common form of alike URLs
	stats   capture.Stats
}

// Open opens the cache at a path. The mirror is the parent of the folder with the cache.
func Open(name string, _ capture.Options) (capture.Source, error) {
	z, err := zipfile.Open(name, maxCacheDirectory)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(filepath.Dir(filepath.Dir(name)))
	if err != nil {
		z.Close()
		return nil, err
	}
	h := &httrack{zip: z, path: name, root: root, entries: map[string][]*zip.File{}}
	t := capture.Tally{Stats: capture.Stats{Files: 1, Bytes: z.Size}}
	for _, f := range z.File {
		switch _, reason, err := h.meta(f); {
		case err != nil:
			t.SkipLost(h.where(f), "an entry whose header cannot be read")
		case reason != "":
			t.Skip(h.where(f), reason)
		default:
			k := urlkey.Alike(httrackURL(f))
			h.kept, h.entries[k] = append(h.kept, f), append(h.entries[k], f)
			t.Kept++
		}
	}
	h.stats = t.Total()
	if t.Kept == 0 {
		h.Close()
		return nil, fmt.Errorf("no usable entry%s", capture.FirstSkip(h.stats))
	}
	return h, nil
}

// httrackURL returns the URL of an entry. Old versions omit the scheme http.
func httrackURL(f *zip.File) string {
	if strings.Contains(f.Name, "://") {
		return f.Name
	}
	return "http://" + f.Name
}

func (h *httrack) where(f *zip.File) string { return h.path + ", " + f.Name }

// meta returns the metadata of an entry, or the reason why they are unusable. An error means that there are no
// metadata.
func (h *httrack) meta(f *zip.File) (m *body.Header, reason string, err error) {
	text, err := localExtra(h.zip.Data, f)
	if err != nil {
		return nil, "", err
	}
	m, err = body.ReadHeader(bufio.NewReader(bytes.NewReader(append(text, "\r\n\r\n"...))))
	if err == nil && m.Status == 0 {
		err = body.ErrHeader
	}
	if err != nil {
		return nil, "", err
	}
	return m, m.Unusable(), nil
}

// localExtra returns the extra field in the local header of an entry, which precedes the data. It differs from the
// extra field in the directory.
func localExtra(r io.ReaderAt, f *zip.File) ([]byte, error) {
	const size = 30 // size of the local header, without the name and the extra field
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
	return nil, body.ErrHeader
}

func (h *httrack) Lookup(url string) iter.Seq2[*capture.Candidate, error] {
	return h.lookup(url, urlkey.Same(url))
}

func (h *httrack) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return h.lookup(url, urlkey.IsAlike(url))
}

// lookup yields the captures of the URLs that are alike url and for which is(URL) is true.
func (h *httrack) lookup(url string, is func(string) bool) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		for _, f := range h.entries[urlkey.Alike(url)] {
			if !is(httrackURL(f)) {
				continue
			}
			if c, err := h.candidate(f); !yield(c, err) {
				return
			}
		}
	}
}

// List yields all entries; see All.
func (h *httrack) List(yield func(*capture.Candidate, error) bool) {
	for _, f := range h.kept {
		if c, err := h.candidate(f); !yield(c, err) {
			return
		}
	}
}

// candidate returns the candidate of an entry.
func (h *httrack) candidate(f *zip.File) (*capture.Candidate, error) {
	m, _, err := h.meta(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.where(f), err)
	}
	c := &capture.Candidate{
		URL:       httrackURL(f),
		MediaType: m.Get("Content-Type"),
		Where:     h.where(f),
		Status:    m.Status,
		Size:      int64(f.UncompressedSize64),
		Redirect:  m.Redirect(),
		Failed:    m.Failed(),
	}
	if c.Redirect != "" {
		return c, nil
	}
	open := func() (io.ReadCloser, error) { return openEntry(f) }
	if m.Get("X-In-Cache") != "1" {
		name := filepath.ToSlash(m.Get("X-Save"))
		info, err := h.root.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: the mirror does not have the file %.200q", h.where(f), name)
		}
		c.Where += ", in the file " + name
		c.Data = filepath.Join(h.root.Name(), filepath.FromSlash(name))
		c.Size = info.Size()
		c.Uncertain = m.Get("X-Size") != fmt.Sprint(info.Size()) // a newer file may have replaced the file
		open = func() (io.ReadCloser, error) { return h.root.Open(name) }
	}
	c.Bodies = []capture.Body{capture.NewBody(capture.AsStored, func() (io.ReadCloser, error) {
		r, err := open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Where, err)
		}
		return r, nil
	})}
	return c, nil
}

// openEntry opens the data of an entry. It does not use the Open method of archive/zip, which treats names that end in
// a slash as folders: the home page of a host has such a name.
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
		return nil, zipfile.ErrEntry
	}
	return io.NopCloser(e), nil
}

// zipEntryReader reads the data of an entry. It checks them against the size and the checksum in the directory.
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
	case e.left < 0, err == io.EOF && (e.left > 0 || e.sum != e.want),
		err != nil && err != io.EOF && localfile.PathError(err) == nil:
		return n, zipfile.ErrEntry
	}
	return n, err
}

func (h *httrack) Stats() capture.Stats { return h.stats }

func (h *httrack) Close() error {
	h.root.Close()
	return h.zip.Close()
}
