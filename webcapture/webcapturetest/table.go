package webcapturetest

import (
	"encoding/csv"
	"os"
	"testing"
)

// Rows returns the rows of a table in testdata. It omits the first row, which names the columns. Tabs separate
// values; quotes are ordinary characters.
func Rows(tb testing.TB, path string) [][]string {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	return rows[1:]
}
