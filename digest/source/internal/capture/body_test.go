package capture

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// openerOf returns an opener of data that end in an error.
func openerOf(data string, end error) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader(data), iotest.ErrReader(end))), nil
	}
}

// emptyBytes is a reader of n bytes. It does not write them, because that would take long.
type emptyBytes struct{ n int64 }

func (r *emptyBytes) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), r.n)
	r.n -= n
	return int(n), nil
}

// TestTooLarge: a body may have exactly MaxBody bytes. Reading a larger one fails after MaxBody bytes.
func TestTooLarge(t *testing.T) {
	for more, fits := range map[int64]bool{-1: true, 0: true, 1: false, 5000: false, 1 << 30: false} {
		t.Run(fmt.Sprint(more), func(t *testing.T) {
			r, err := NewBody(AsStored, func() (io.ReadCloser, error) {
				return io.NopCloser(&emptyBytes{MaxBody + more}), nil
			}).Open()
			if err != nil {
				t.Fatal(err)
			}
			var n int64
			buf := make([]byte, 1<<20)
			for err == nil {
				var k int
				k, err = r.Read(buf)
				n += int64(k)
			}
			large, ok := errors.AsType[*TooLarge](err)
			if ok == fits || ok && large.Limit != 1<<30 || !ok && err != io.EOF || n != min(MaxBody, MaxBody+more) {
				t.Errorf("%d bytes, %v", n, err)
			}
			if k, again := r.Read(buf); k != 0 || fmt.Sprint(again) != fmt.Sprint(err) {
				t.Errorf("after the end: %d bytes, %v", k, again)
			}
		})
	}
	if got := (&TooLarge{7}).Error(); got != "the body has more than 7 bytes" {
		t.Errorf("%q", got)
	}
}

// TestStrict: a strict body has the same data, and ends in another error in place of a Flaw.
func TestStrict(t *testing.T) {
	disk := errors.New("disk failure")
	for end, want := range map[error]error{&Flaw{Reason: "x"}: errStrict, disk: disk, io.EOF: nil} {
		t.Run(end.Error(), func(t *testing.T) {
			loose := NewBody("form", openerOf("data", end))
			strict := loose.Strict()
			r, err := strict.Open()
			if err != nil {
				t.Fatal(err)
			}
			if data, err := io.ReadAll(r); string(data) != "data" || err != want || strict.Form != "form" {
				t.Errorf("%s %q, %v, want %v", strict.Form, data, err, want)
			}
			r, _ = loose.Open()
			if _, err := io.ReadAll(r); err != end && end != io.EOF {
				t.Errorf("the body itself has changed: %v, want %v", err, end)
			}
		})
	}
	bad := errors.New("bad")
	if _, err := NewBody("", func() (io.ReadCloser, error) { return nil, bad }).Strict().Open(); err != bad {
		t.Errorf("%v, want %v", err, bad)
	}
}
