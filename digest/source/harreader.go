package source

import (
	"encoding/json"
	"io"
)

// A harReader reads JSON of which no value may take more than limit bytes.
type harReader struct {
	*json.Decoder
	r           io.Reader
	limit, left int64
}

func newHARReader(r io.Reader, limit int64) *harReader {
	h := &harReader{r: r, limit: limit, left: limit}
	h.Decoder = json.NewDecoder(h)
	return h
}

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
