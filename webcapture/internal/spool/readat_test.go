package spool

import (
	"bytes"
	"testing"
)

// Data can be read at any offset: from the temporary file, from memory, and across both.
func TestReadAt(t *testing.T) {
	var s Spool
	defer s.Close()
	var all []byte
	for i := range 3000 {
		piece := bytes.Repeat([]byte{byte(i)}, 500)
		all = append(all, piece...)
		if _, err := s.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	stored := len(all) - s.buf.Len()
	for _, at := range []int{0, 499, stored - 10, stored, len(all) - 100} {
		got := make([]byte, 100)
		if n, err := s.ReadAt(got, int64(at)); n != 100 || err != nil || !bytes.Equal(got, all[at:at+100]) {
			t.Errorf("at %d of %d: %d bytes, %v", at, stored, n, err)
		}
	}
}

// Data in memory can be read before there is a temporary file.
func TestReadAtInMemory(t *testing.T) {
	var s Spool
	if _, err := s.Write([]byte("0123456789")); err != nil {
		t.Fatal(err)
	}
	for at := range 8 {
		got := make([]byte, 3)
		if n, err := s.ReadAt(got, int64(at)); n != 3 || err != nil || string(got) != "0123456789"[at:at+3] {
			t.Errorf("at %d: %q, %d, %v", at, got, n, err)
		}
	}
}
