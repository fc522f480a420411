package warc

import (
	"io"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestPartsEndWhereTheyEnded: data appended to a file after it was opened are not read.
func TestPartsEndWhereTheyEnded(t *testing.T) {
	const data, size = "as it was, and more", 9
	p := &Part{Path: sourcetest.WriteFile(t, data, t.TempDir(), "x"), Size: size}
	for at := range int64(len(data)) {
		r, err := newMemberReader(p, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		r.Close()
		if want := data[min(at, size):size]; string(got) != want || err != nil {
			t.Errorf("from %d on: %q, %v, want %q", at, got, err, want)
		}
	}
}
