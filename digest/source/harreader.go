package source

import (
	"encoding/json"
	"io"
)

// A harReader reads JSON of which no value may take more than limit bytes.
type harReader struct {
	*json.Decoder
	r           io.Reader
	base        int64 // where in the file the JSON begins
	limit, left int64
}

func newHARReader(file io.ReaderAt, limit int64) (*harReader, error) {
	h := &harReader{limit: limit, left: limit}
	mark := make([]byte, len(byteOrderMark))
	if n, err := file.ReadAt(mark, 0); err == nil && string(mark[:n]) == byteOrderMark {
		h.base = int64(n)
	} else if err != nil && err != io.EOF {
		return nil, err
	}
	h.r = io.NewSectionReader(file, h.base, toEnd-h.base)
	h.Decoder = json.NewDecoder(h)
	return h, nil
}

// offset returns where in the file the reader is.
func (r *harReader) offset() int64 { return r.base + r.InputOffset() }

// Read is what the Decoder reads with.
func (r *harReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errTooLarge
	}
	n, err := r.r.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, err
}

// eachMember reads an object and calls f before each value with the given name,
// which f has to read. Other values are passed over, token by token.
func (r *harReader) eachMember(name string, f func() error) error {
	if err := r.enter('{'); err != nil {
		return err
	}
	for r.More() {
		r.left = r.limit
		got, err := r.Token()
		if err != nil {
			return err
		}
		if got == name {
			err = f()
		} else {
			err = r.pass()
		}
		if err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

// eachElement reads an array and calls f before each value, which f has to read.
func (r *harReader) eachElement(f func() error) error {
	if err := r.enter('['); err != nil {
		return err
	}
	for r.More() {
		r.left = r.limit
		if err := f(); err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

func (r *harReader) enter(delim json.Delim) error {
	got, err := r.Token()
	if err == nil && got != delim {
		err = errNotHAR
	}
	return err
}

// pass reads one value of any kind.
func (r *harReader) pass() error {
	for depth := 0; ; {
		r.left = r.limit
		got, err := r.Token()
		if err != nil {
			return err
		}
		switch got {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}
