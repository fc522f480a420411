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
		switch h.Typeflag {
		case tar.TypeReg, tar.TypeCont, tar.TypeGNUSparse:
		case tar.TypeLink:
			if isPDFName(h.Name) {
				m := at.member(h.Name, -1)
				m.Err = &report.SkippedError{Reason: "a hard link to " + h.Linkname + ", which is a member of its own"}
				w.give(m)
			}
			continue
		default:
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
		if !w.wanted(m.Name) { // nobody wants it
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
