package pdffile

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// lastSection reads the newest cross-reference section with regular expressions: its Size, and the highest number of an
// object in it.
func lastSection(t *testing.T, data []byte) (size, highest int) {
	t.Helper()
	number := func(b []byte) int {
		n, err := strconv.Atoi(string(b))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	all := regexp.MustCompile(`startxref\s+(\d+)`).FindAllSubmatch(data, -1)
	section := data[number(all[len(all)-1][1]):]
	size = number(regexp.MustCompile(`/Size (\d+)`).FindSubmatch(section)[1])
	var parts [][]byte
	if table, _, isTable := bytes.Cut(section, []byte("trailer")); isTable && bytes.HasPrefix(section, []byte("xref")) {
		for _, m := range regexp.MustCompile(`(?m)^(\d+) (\d+)\s*$`).FindAllSubmatch(table, -1) {
			parts = append(parts, m[1], m[2])
		}
	} else {
		parts = [][]byte{[]byte("0"), []byte(strconv.Itoa(size))} // the default of Index
		if index := regexp.MustCompile(`/Index *\[([^]]*)\]`).FindSubmatch(section); index != nil {
			parts = bytes.Fields(index[1])
		}
	}
	for i := 0; i+1 < len(parts); i += 2 {
		highest = max(highest, number(parts[i])+number(parts[i+1])-1)
	}
	return size, highest
}

// TestSizeOfIncrements: Size is that of the file, or one more than the highest number in the increment. Numbers that
// were taken and not written do not count.
func TestSizeOfIncrements(t *testing.T) {
	for name, layout := range map[string]webcapturetest.Layout{"table": {}, "stream": {XRef: webcapturetest.Stream}} {
		for _, taken := range []int{0, 1, 5} {
			for _, put := range []int{0, 1, 2} {
				t.Run(strings.Join([]string{name, strconv.Itoa(taken), strconv.Itoa(put)}, " "), func(t *testing.T) {
					d, err := webcapturetest.Parse("names: << >>\n7 0 obj (text)\n")
					if err != nil {
						t.Fatal(err)
					}
					data := d.Bytes(layout)
					f := opened(t, name, data, "")
					u := f.NewUpdate()
					u.Put(object.Ref{Num: 7}, []byte("(changed)"))
					for range put {
						u.Put(u.New(), []byte("(new)"))
					}
					for range taken {
						u.New()
					}
					var b bytes.Buffer
					if err := u.WriteIncrement(&b); err != nil {
						t.Fatal(err)
					}
					old, _ := lastSection(t, data)
					size, highest := lastSection(t, b.Bytes())
					if want := max(old, highest+1); size != want {
						t.Errorf("Size is %d, want %d: it was %d, and the highest number is %d", size, want, old, highest)
					}
				})
			}
		}
	}
}
