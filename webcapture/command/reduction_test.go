package command

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// A URL may have the maximum length, also if it ends exactly with a read. A longer one ends the input.
func TestLongestURL(t *testing.T) {
	for _, tt := range []struct {
		length int
		end    string
		want   error
	}{
		{maxURL - 1, "\n", nil}, {maxURL, "\n", nil}, {maxURL + 1, "\n", errLine}, {maxURL, "", io.EOF},
		{maxURL + 1, "", errLine},
	} {
		t.Run(fmt.Sprint(tt.length, tt.end), func(t *testing.T) {
			b := &portion{size: portionSize}
			rest, err := b.fill(strings.NewReader(strings.Repeat("x", tt.length)+tt.end+"y"[:len(tt.end)]), '\n', nil)
			if err != tt.want {
				t.Errorf("%v, want %v", err, tt.want)
			}
			if err == errLine && len(b.in) > 0 || err != errLine && len(b.in) != tt.length+len(tt.end) {
				t.Errorf("%d bytes of whole URLs", len(b.in))
			}
			if err == nil && len(rest) > 1 {
				t.Errorf("%d bytes remain", len(rest))
			}
		})
	}
}

// Memory that an unusually long URL needed is free afterwards. That of usual input is used again.
func TestPortionIsReset(t *testing.T) {
	for size, kept := range map[int]bool{0: true, portionSize: true, 4 * portionSize: true, 4*portionSize + 1: false} {
		b := &portion{urls: 1, wrong: true, found: 1, notes: []note{{1, "a"}}}
		b.in, b.out, b.result = make([]byte, size), make([]byte, size), make([]byte, size)
		b.reset()
		for _, buf := range [][]byte{b.in, b.out, b.result} {
			if want := map[bool]int{true: size}[kept]; len(buf) > 0 || cap(buf) != want {
				t.Errorf("after %d bytes: %d bytes, capacity %d, want %d", size, len(buf), cap(buf), want)
			}
		}
		if b.urls > 0 || b.wrong || b.found > 0 || len(b.notes) > 0 {
			t.Errorf("counts of the last portion are left: %+v", b)
		}
	}
}

// Up to twenty relative URLs are all shown, and then the last line counts nothing.
func TestRelativeURLs(t *testing.T) {
	for n, more := range map[int]string{0: "", 1: "", 20: "", 21: "webcap: … and 1 more relative URL\n",
		22: "webcap: … and 2 more relative URLs\n"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var in, want bytes.Buffer
			for i := range n {
				fmt.Fprintf(&in, "u%d\n", i+1)
				if i < 20 {
					fmt.Fprintf(&want, "webcap: line %d: relative URL without --base: \"u%d\"\n", i+1, i+1)
				}
			}
			want.WriteString(more)
			var out bytes.Buffer
			code, stderr := run(bytes.NewReader(in.Bytes()), &out, "canon")
			if code != exitClean || stderr != want.String() || out.String() != in.String() {
				t.Errorf("exit %d, output %q, it says\n%swant\n%s", code, out.String(), stderr, want.String())
			}
		})
	}
}
