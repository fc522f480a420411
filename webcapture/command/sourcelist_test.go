package command

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
)

// MD5s are those of the data as they were sent and with everything taken off; where nothing
// can be taken off, both are the same, and where that fails, there is one alone.
func TestSourceListDigests(t *testing.T) {
	rows, err := csv.NewReader(bytes.NewReader(webcap(t, "source", "list", "--md5", "--format", "csv",
		testSource(t)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		got = append(got, strings.Join([]string{row[0], row[5], row[6], row[7]}, " "))
	}
	const (
		wrong   = "http://h/%s 9 361ba562c957c41671b2df81cc310597 "
		chunked = "http://h/g 14 c4acde6474da9da824dee84464e7d36c 841a2d689ad86bd1611447453c22c6fc"
	)
	want := []string{
		"url bytes md5_sent md5_decoded",
		strings.Replace(wrong, "%s", "a", 1), "http://h/b 0  ", strings.Replace(wrong, "%s", "c", 1),
		"http://h/f 3 7f021a1415b86f2d013b2618fb31ae53 7f021a1415b86f2d013b2618fb31ae53", chunked,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
