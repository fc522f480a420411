package batch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"

	"github.com/webcap-tools/webcap/digest/tempfile"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/batch/store"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
)

// Input is one thing to audit: a file, an object of a store, a member of an archive, or standard input. There
// is a record for each.
type Input struct {
	// Name is what the record is called: the path as it was given or found, followed by
	// the name in an archive, if it is in one.
	Name string

	// Err says why there is nothing to audit.
	Err error

	path    string                 // of a file
	file    *os.File               // of path, if it was opened to see that it is a PDF
	object  store.Object           // of a store
	copy    *tempfile.File         // of object; nil before it is opened
	member  *archive.Member        // in an archive
	archive string                 // the path of that; empty for an input that is not in one
	in      string                 // the path of the archive that member was found in, or is
	at      int                    // the place of member among those of the archive; byName if not counted
	data    []byte                 // of standard input, and what load returned; nil for the others
	load    func() ([]byte, error) // gets the bytes from elsewhere; nil if they are here
	length  int64                  // of data that load gets, or of a file whose size was looked up; else 0
}

// Path returns the path of an input that is a file; "" for any other.
func (in *Input) Path() string { return in.path }

// close releases the input, audited or not.
func (in *Input) close() {
	if in.member != nil {
		in.member.Close()
	}
	in.closeFile()
}

func (in *Input) closeFile() {
	if in.file != nil {
		in.file.Close()
		in.file = nil
	}
	if in.copy != nil {
		in.copy.Close()
		in.copy = nil
	}
}

// size returns how many bytes the input has, before it is opened; 0 if that is unknown.
func (in *Input) size() int64 {
	switch {
	case in.length > 0:
		return in.length
	case in.member != nil:
		return max(in.member.Size, 0)
	case in.object != nil:
		return in.object.Size()
	case in.path != "":
		if st, err := os.Stat(in.path); err == nil && st.Mode().IsRegular() {
			return st.Size()
		}
	}
	return 0
}

// open opens the input as a PDF.
func (in *Input) open(ctx context.Context, opt webcapture.Options) (*webcapture.File, error) {
	switch {
	case in.member != nil:
		data, err := in.member.Data()
		if err != nil {
			return nil, err
		}
		if data.File != nil {
			return webcapture.OpenHandle(ctx, data.File.File, in.Name, opt)
		}
		return webcapture.New(ctx, data.Bytes, opt)
	case in.object != nil:
		f, err := store.Download(ctx, in.object)
		if err != nil {
			return nil, err
		}
		in.copy = f
		return webcapture.OpenHandle(ctx, f.File, in.Name, opt)
	case in.file != nil:
		return webcapture.OpenHandle(ctx, in.file, in.path, opt)
	}
	if in.path != "" {
		return webcapture.Open(ctx, in.path, opt)
	}
	if in.load != nil {
		data, err := in.load()
		if err != nil {
			return nil, err
		}
		in.data, in.load = data, nil
	}
	return webcapture.New(ctx, in.data, opt)
}

// digest returns the size and SHA-256 of an input that is not a PDF which could be opened;
// "" if it cannot be read, or is too large to be read for that.
func (in *Input) digest(ctx context.Context) (size int64, sum string) {
	var r io.Reader
	switch {
	case in.load != nil:
		return 0, ""
	case in.member != nil:
		data, err := in.member.Data()
		if err != nil {
			return 0, ""
		}
		r = io.NewSectionReader(data, 0, data.Size())
	case in.object != nil:
		if size = in.object.Size(); in.copy == nil {
			return size, ""
		}
		r = io.NewSectionReader(in.copy, 0, size)
	case in.path != "":
		st, err := os.Stat(in.path)
		if err != nil || !st.Mode().IsRegular() {
			return 0, ""
		}
		if st.Size() > maxHashed {
			return st.Size(), ""
		}
		f, err := os.Open(in.path)
		if err != nil {
			return 0, ""
		}
		defer f.Close()
		r = f
	default:
		r = bytes.NewReader(in.data)
	}
	h := sha256.New()
	size, err := io.Copy(h, infile.Interruptible(ctx, r))
	if err != nil {
		return 0, ""
	}
	return size, hex.EncodeToString(h.Sum(nil))
}
