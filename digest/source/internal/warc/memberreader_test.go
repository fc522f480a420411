package warc

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
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
	return &Part{Path: "a", Zip: bytes.NewReader(b), Size: int64(len(b)), codec: c}, offsets
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
					want := all[before+skip:] + "\n<nil>"
					if got := rest(t, p, position{offsets[i], int64(skip)}); got != want {
						t.Errorf("%d bytes %.20q, want %d", len(got), got, len(want))
					}
				})
			}
			before += len(s)
		}
	}
}

// TestPositions: the position of each byte is its member and the number of bytes before it in the member, whether the
// bytes before it were skipped, peeked at, or read.
func TestPositions(t *testing.T) {
	all := strings.Join(memberContents, "")
	r := rand.New(rand.NewSource(1))
	for _, c := range []codec{plain, gzipMembers, zstdFrames} {
		p, offsets := membersOf(c, memberContents)
		begins, before := map[int64]int{}, 0 // offset of a member to the number of bytes before it
		starts := map[int]bool{}
		for i, s := range memberContents {
			begins[offsets[i]] = before
			starts[before] = len(s) > 0 || starts[before]
			before += len(s)
		}
		for _, buffer := range []int{64, 1000, 1 << 18} {
			t.Run(fmt.Sprint(c, buffer), func(t *testing.T) {
				m, err := newMemberReader(p, position{}, buffer)
				if err != nil {
					t.Fatal(err)
				}
				defer m.Close()
				for at := 0; at < len(all); {
					n := min(1+r.Intn(40), len(all)-at)
					if got := string(m.peek(n)); got != all[at:at+n] {
						t.Fatalf("at %d: %q, want %q", at, got, all[at:at+n])
					}
					pos := m.position()
					if c == plain && pos != (position{member: int64(at)}) ||
						c != plain && begins[pos.member]+int(pos.skip) != at {
						t.Fatalf("byte %d is at %+v", at, pos)
					}
					if got := m.starts(); got != (c != plain && starts[at]) {
						t.Fatalf("a member begins at %d: %v", at, got)
					}
					if b := m.ahead(); c != plain {
						for i := 1; i < len(b); i++ {
							if starts[at+i] {
								t.Fatalf("at %d: %d bytes ahead, but a member begins after %d", at, len(b), i)
							}
						}
					}
					if r.Intn(2) == 0 {
						n, _ = io.ReadFull(m, make([]byte, n))
					} else {
						n = int(m.discard(int64(n)))
					}
					at += n
				}
				if n := m.discard(9); n != 0 || m.err != io.EOF || len(m.peek(1)) != 0 {
					t.Errorf("%d bytes after the end, %v", n, m.err)
				}
			})
		}
	}
}

// TestResume: after damage, reading continues with the next member.
func TestResume(t *testing.T) {
	for name, c := range map[string]codec{"gzip": gzipMembers, "zstd": zstdFrames} {
		magic := magics[c]
		for _, noise := range []string{"x", strings.Repeat("noise ", 1000), magic + "\xff\xff\xff\xff\xff", magic[:2]} {
			t.Run(fmt.Sprintf("%s %.9q", name, noise), func(t *testing.T) {
				one, _ := membersOf(c, []string{"one"})
				two, _ := membersOf(c, []string{"two"})
				first, _ := io.ReadAll(io.NewSectionReader(one.Zip, 0, one.Size))
				second, _ := io.ReadAll(io.NewSectionReader(two.Zip, 0, two.Size))
				b := string(first) + noise + string(second)
				m, err := newMemberReader(&Part{Path: "a", Zip: strings.NewReader(b), Size: int64(len(b)), codec: c},
					position{}, 4096)
				if err != nil {
					t.Fatal(err)
				}
				defer m.Close()
				data, err := io.ReadAll(m)
				if _, ok := err.(*damage); string(data) != "one" || !ok {
					t.Fatalf("%q, %v, want damage after one", data, err)
				}
				got := ""
				for m.resume() {
					if string(m.peek(3)) == "two" {
						got = string(m.peek(99))
						if want := int64(len(first) + len(noise)); m.position() != (position{member: want}) {
							t.Errorf("position %+v, want %d", m.position(), want)
						}
						break
					}
				}
				if got != "two" {
					t.Errorf("%q after the damage, want two", got)
				}
				m.discard(3)
				if m.resume() {
					t.Error("resumes after the end")
				}
			})
		}
	}
}

// TestPartsEndWhereTheyEnded: data appended to a file after it was opened are not read.
func TestPartsEndWhereTheyEnded(t *testing.T) {
	const data, size = "as it was, and more", 9
	p := &Part{Path: sourcetest.WriteFile(t, data, t.TempDir(), "x"), Size: size}
	for at := range int64(len(data)) {
		r, err := newMemberReader(p, position{member: at}, (64 << 10))
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
