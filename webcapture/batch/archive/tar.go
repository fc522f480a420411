package archive

import (
	"archive/tar"
	"bufio"
	"io"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// tar yields what is in a tar file. It is a stream, so what is wanted of it is read at once.
func (w *walk) tar(at place, r io.ReaderAt, size int64) error {
	in, err := decoder(io.NewSectionReader(r, 0, size))
	if err != nil {
		return err
	}
	defer in.Close()
	files := tar.NewReader(w.bounded(in))
	buf := bufio.NewReaderSize(nil, lookAhead)
	for !w.ended {
		h, err := files.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !isFile(h) {
			w.hardLink(at, h)
			continue
		}
		buf.Reset(w.bounded(files)) // of a sparse file, more comes out than is there
		kind, err := kindOf(buf)
		if err != nil {
			return err
		}
		if isPDFName(h.Name) {
			kind = PDF
		} else if kind == Other {
			continue
		}
		m := at.member(h.Name, h.Size)
		if kind.IsArchive() {
			w.nested(at, m, func() (File, int64, error) {
				d, err := dataOf(buf, h.Size)
				if err != nil {
					return nil, 0, err
				}
				return d, d.Size(), nil
			})
			continue
		}
		if !w.wanted(m.Name) {
			m.Close()
			continue
		}
		if m.read, err = dataOf(buf, h.Size); err != nil {
			m.Close()
			return err
		}
		w.give(m)
	}
	return nil
}

// isFile reports whether an entry has bytes of its own.
func isFile(h *tar.Header) bool {
	return h.Typeflag == tar.TypeReg || h.Typeflag == tar.TypeCont || h.Typeflag == tar.TypeGNUSparse
}

// hardLink yields an entry that is a second name of a PDF file, as a member that is skipped.
func (w *walk) hardLink(at place, h *tar.Header) {
	if h.Typeflag != tar.TypeLink || !isPDFName(h.Name) {
		return
	}
	m := at.member(h.Name, -1)
	m.Err = &report.SkippedError{Reason: "a hard link to " + h.Linkname + ", which is a member of its own"}
	w.give(m)
}
