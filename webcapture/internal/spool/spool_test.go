package spool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Data can be copied repeatedly, whether they fit into memory or not.
func TestSpool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, n := range []int{0, 1, InMemory, InMemory + 1, 3*InMemory + 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var s Spool
			want := strings.Repeat("0123456789abcdef", n/16+1)[:n]
			for rest := want; rest != ""; rest = rest[min(len(rest), 10_000):] {
				if _, err := io.WriteString(&s, rest[:min(len(rest), 10_000)]); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				var got bytes.Buffer
				if err := s.CopyTo(&got); err != nil || got.String() != want {
					t.Errorf("%d bytes are copied of %d, %v", got.Len(), n, err)
				}
			}
			if s.Len() != int64(n) {
				t.Errorf("Len() = %d, want %d", s.Len(), n)
			}
			s.Close()
			if err := s.CopyTo(io.Discard); errors.Is(err, os.ErrClosed) != (n > InMemory) {
				t.Errorf("%d bytes after Close: %v", n, err)
			}
		})
	}
}

func TestSpoolWithoutFolder(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	t.Setenv("TMP", missing) // on Windows
	var s Spool
	if _, err := s.Write(make([]byte, InMemory)); err != nil {
		t.Error(err)
	}
	if _, err := s.Write([]byte("x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

// brokenSpool returns a Spool whose temporary file no longer works.
func brokenSpool(t *testing.T) *Spool {
	t.Helper()
	s := new(Spool)
	if _, err := s.Write(make([]byte, InMemory+1)); err != nil {
		t.Fatal(err)
	}
	s.Close()
	return s
}

// An error of the temporary file is an error of each method, and says that it is not about the output.
func TestErrorsOfTheTemporaryFile(t *testing.T) {
	for name, do := range map[string]func(s *Spool) error{
		"Write":  func(s *Spool) error { _, err := s.Write(make([]byte, InMemory+1)); return err },
		"CopyTo": func(s *Spool) error { return s.CopyTo(io.Discard) },
		"ReadAt": func(s *Spool) error { _, err := s.ReadAt(make([]byte, 1), 0); return err },
	} {
		t.Run(name, func(t *testing.T) {
			err := do(brokenSpool(t))
			if !errors.Is(err, os.ErrClosed) || !strings.HasPrefix(err.Error(), "temporary file: ") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// failingOnce fails the first write.
type failingOnce struct {
	err    error
	failed bool
}

func (w *failingOnce) Write(b []byte) (int, error) {
	if !w.failed {
		w.failed = true
		return 0, w.err
	}
	return len(b), nil
}

// An error of the output ends the copy, even if later writes would succeed.
func TestCopyToFailsWithTheOutput(t *testing.T) {
	full := errors.New("the disk is full")
	for _, n := range []int{1, InMemory + 1} { // bytes in memory, and in a file
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var s Spool
			defer s.Close()
			if _, err := s.Write(make([]byte, n)); err != nil {
				t.Fatal(err)
			}
			if err := s.CopyTo(&failingOnce{err: full}); err != full {
				t.Errorf("CopyTo = %v, want %v", err, full)
			}
		})
	}
}
