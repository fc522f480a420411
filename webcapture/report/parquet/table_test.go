package parquet

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

// Missing values are null, in any combination.
func TestNulls(t *testing.T) {
	const most = 6
	for n := 1; n <= most; n++ {
		for bits := range 1 << n {
			t.Run(fmt.Sprintf("%0*b", n, bits), func(t *testing.T) {
				var entries []entryRow
				var findings []findingRow
				for i := range n {
					e, f := entryRow{Key: []byte("k")}, findingRow{Message: "m"}
					if bits>>i&1 == 1 {
						e.URL, e.ID, e.Set, e.Created = new("u"), new("i"), new(uint32(1)), new(time.UnixMilli(1).UTC())
						f.URL, f.Fix, f.Key, f.SHA256 = new("u"), new("f"), new([]byte("k")), new("s")
					}
					entries, findings = append(entries, e), append(findings, f)
				}
				checkNulls(t, entries, bits, 11, 4)
				checkNulls(t, findings, bits, 9, 4)
			})
		}
	}
}

// checkNulls writes rows and counts the nulls of each. In a row whose bit is set, some of the optional columns have
// a value; in the others, none.
func checkNulls[T any](t *testing.T, rows []T, bits, optional, some int) {
	t.Helper()
	var b bytes.Buffer
	table := NewTable[T](&b, "1.0")
	for _, r := range rows {
		if err := table.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.Close(true); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	read := make([]parquet.Row, len(rows))
	if n, _ := parquet.NewReader(f).ReadRows(read); n != len(rows) {
		t.Fatalf("%d rows of %d", n, len(rows))
	}
	for i, row := range read {
		n := 0
		for _, v := range row {
			if v.IsNull() {
				n++
			}
		}
		if want := optional - bits>>i&1*some; n != want {
			t.Errorf("row %d has %d nulls, want %d: %v", i, n, want, row)
		}
	}
}
