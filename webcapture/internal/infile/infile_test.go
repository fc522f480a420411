package infile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadAll(t *testing.T) {
	for _, n := range []int{0, 9, 10, 11} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			data, err := ReadAll(strings.NewReader(strings.Repeat("x", n)), 10)
			if n <= 10 && (err != nil || len(data) != n) || n > 10 && (data != nil || !errors.Is(err, ErrTooLong)) {
				t.Errorf("%d bytes: %d, %v", n, len(data), err)
			}
		})
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// Endless input ends with an error; a regular file may be longer.
func TestBounded(t *testing.T) {
	if n, err := io.Copy(io.Discard, struct{ io.Reader }{Bounded(endless{})}); n != MaxPiped ||
		!errors.Is(err, ErrTooLong) {
		t.Errorf("%d bytes, %v", n, err)
	}
	path := filepath.Join(t.TempDir(), "large")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(MaxPiped + 1); err != nil { // a hole, which takes no space
		t.Fatal(err)
	}
	if r := Bounded(f); r != io.Reader(f) {
		t.Errorf("a regular file is read as %T", r)
	}
}
