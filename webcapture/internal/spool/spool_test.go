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
