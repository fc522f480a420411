package batch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Input is one file to audit: a local file, a member of an archive, or standard input. Each input gets one
// record.
type Input struct {
	// Name is the name of the record: the path as given or found, followed by the name in an archive.
	Name string

	// Err is the reason why the input cannot be audited; nil if it can.
	Err error

	path    string          // path of a file
	member  *archive.Member // member of an archive
	archive string          // path of the archive that was read; member may be an error of the archive itself
	at      int             // number of inputs of the same pass over the archive before it
	data    []byte          // bytes of standard input; nil for others
}

// Path returns the path of an input that is a file; "" for any other.
func (in *Input) Path() string { return in.path }

// record returns the record of the input without a result.
func (in *Input) record() *report.Record {
	rec := &report.Record{Path: in.Name}
	if in.archive != in.Name {
		rec.Archive = in.archive
	}
	return rec
}

// load reads a member of an archive, which is possible only before the next input.
func (in *Input) load() {
	if in.member != nil {
		in.Err = in.member.Load()
	}
}

// Close releases an input that is not passed to [Run]. Run releases its inputs itself.
func (in *Input) Close() {
	if in.member != nil {
		in.member.Close()
	}
}

// Size returns the number of bytes of the input; 0 if unknown before it is read.
func (in *Input) Size() int64 {
	switch {
	case in.member != nil:
		return max(in.member.Size, 0)
	case in.path != "":
		if st, err := os.Stat(in.path); err == nil && st.Mode().IsRegular() {
			return st.Size()
		}
	}
	return 0
}

// modified returns the time of the last change of the file, or of the archive with the input; zero if there is none.
func (in *Input) modified() time.Time {
	st, err := os.Stat(cmp.Or(in.path, in.archive, in.Name))
	if err != nil || !st.Mode().IsRegular() {
		return time.Time{}
	}
	return st.ModTime()
}

// open opens the input as a PDF.
func (in *Input) open(ctx context.Context, opt webcapture.Options) (*webcapture.File, error) {
	switch {
	case in.member != nil:
		if data := in.member.Data; data.File != nil {
			return webcapture.OpenHandle(ctx, data.File.File, in.Name, opt)
		}
		return webcapture.New(ctx, in.member.Data.Bytes, opt)
	case in.path != "":
		return webcapture.Open(ctx, in.path, opt)
	}
	return webcapture.New(ctx, in.data, opt)
}

// digest returns the size and SHA-256 of an input that could not be opened as a PDF. sum is "" if the input is
// unreadable, or too large to be read only for its digest.
func (in *Input) digest(ctx context.Context) (size int64, sum string) {
	var r io.Reader = bytes.NewReader(in.data)
	switch {
	case in.member != nil:
		r = io.NewSectionReader(in.member.Data, 0, in.member.Data.Size())
	case in.path != "":
		f, size, err := openRegular(in.path)
		if err != nil {
			return 0, ""
		}
		defer f.Close()
		if size > maxHashed {
			return size, ""
		}
		r = io.LimitReader(f, size) // a system file of size 0, such as /proc/kmsg, may have no end
	}
	h := sha256.New()
	size, err := io.Copy(h, infile.Interruptible(ctx, r))
	if err != nil {
		return 0, ""
	}
	return size, hex.EncodeToString(h.Sum(nil))
}
