package warc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// membersOf returns a part with these members, and the offset of each.
func membersOf(c codec, contents []string) (p *Part, offsets []int64) {
	var b []byte
	for _, s := range contents {
		offsets = append(offsets, int64(len(b)))
		switch c {
		case plain:
			b = append(b, s...)
		case gzipMembers:
			b = append(b, sourcetest.Gzip(s)...)
		case zstdFrames:
			b = append(b, sourcetest.Zstd(nil, []string{s})...)
		}
	}
	return &Part{Path: "a", data: bytes.NewReader(b), Size: int64(len(b)), codec: c}, offsets
}

var memberContents = []string{"one", strings.Repeat("two ", 50), "", "x", strings.Repeat("long ", 1000), "", "",
	"end"}

// TestSeekMembers: reading from any position of a member on gives the rest of all data.
func TestSeekMembers(t *testing.T) {
	all := strings.Join(memberContents, "")
	for _, c := range []codec{plain, gzipMembers, zstdFrames} {
		p, offsets := membersOf(c, memberContents)
		before := 0
		for i, s := range memberContents {
			for _, skip := range []int{0, 1, len(s) / 2, len(s) - 1} {
				if skip < 0 || skip >= max(len(s), 1) || c == plain && skip > 0 {
					continue
				}
				t.Run(fmt.Sprint(c, i, skip), func(t *testing.T) {
					want := all[before+skip:] + "\nEOF"
					if got := rest(t, p, position{offsets[i], int64(skip)}); got != want {
						t.Errorf("%d bytes %.20q, want %d", len(got), got, len(want))
					}
				})
			}
			before += len(s)
		}
	}
}

// TestPartsEndWhereTheyEnded: data appended to a file after it was opened are not read.
func TestPartsEndWhereTheyEnded(t *testing.T) {
	const data, size = "as it was, and more", 9
	p := &Part{Path: sourcetest.WriteFile(t, data, t.TempDir(), "x"), Size: size}
	for at := range int64(len(data)) {
		r, err := newMemberReader(p, position{member: at}, scanStep, nil)
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
