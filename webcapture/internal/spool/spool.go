package report

import (
	"bytes"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// A spool keeps what is written to it until it is wanted: in memory as long as it
// is little, then in a temporary file.
type spool struct {
	n    int64          // bytes
	file *tempfile.File // nil as long as all is in buf
	buf  bytes.Buffer   // what is not in file yet
}

// maxSpooled is how much of a spool is held in memory.
const maxSpooled = 1 << 20

func (s *spool) Write(b []byte) (int, error) {
	s.n += int64(len(b))
	s.buf.Write(b)
	if s.buf.Len() <= maxSpooled {
		return len(b), nil
	}
	if s.file == nil {
		f, err := tempfile.New()
		if err != nil {
			return 0, temporary(err)
		}
		s.file = f
	}
	if _, err := s.buf.WriteTo(s.file); err != nil {
		return 0, temporary(err)
	}
	return len(b), nil
}

// temporary says that an error is not about the file that the results go to.
func temporary(err error) error { return fmt.Errorf("temporary file: %w", err) }

// copyTo writes all that was written so far to w.
func (s *spool) copyTo(w io.Writer) error {
	if s.file != nil {
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return temporary(err)
		}
		if _, err := io.Copy(w, s.file); err != nil {
			return err
		}
	}
	_, err := w.Write(s.buf.Bytes())
	return err
}

// close removes the temporary file.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}
