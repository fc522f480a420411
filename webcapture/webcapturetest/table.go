package webcapturetest

import (
	"encoding/csv"
	"os"
	"testing"
)

// Rows returns the rows of a table in testdata but the first, which names the columns. Values stand
// between tabs, and quotes in them are quotes.
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
