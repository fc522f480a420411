package source

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// TestLongMembers: what is found in a long member is the same however often it is looked into,
// whether it is whole, damaged, followed by something else, or ends within a record.
func TestLongMembers(t *testing.T) {
	long := page("http://a/long", strings.Repeat("x", minLong))
	record := func(n int) string { return page(fmt.Sprintf("http://a/%d", n), fmt.Sprintf("file %d", n)) }
	all := long + record(1) + record(2) + record(3)
	middle := len(all) - len("3\r\n\r\n")
	cut := gz(all)
	sum := gz(all)
	sum[len(sum)-8] ^= 1
	for name, data := range map[string][]byte{
		"gzip":                   gz(all),
		"zstd":                   zst(nil, []string{all}),
		"zstd, a record in two":  zst(nil, []string{all[:middle], all[middle:]}),
		"gzip, a record in two":  append(gz(all[:middle]), gz(all[middle:])...),
		"gzip, and others":       append(append(gz(record(4)), gz(all)...), gz(record(5))...),
		"gzip, and something":    append(gz(all), "something else"...),
		"gzip, cut off":          cut[:len(cut)-20],
		"gzip, with a wrong sum": sum,
		"two long ones":          append(gz(all), gz(strings.ReplaceAll(all, "a/", "b/"))...),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("TMPDIR", dir)
			s := openBytes(t, "a.warc", data)
			want := map[string]string{}
			for round := range freeLooks + 2 {
				for n := range 6 {
					for _, host := range []string{"a", "b"} {
						url := fmt.Sprintf("http://%s/%d", host, n)
						if got := kept(s, url); round == 0 {
							want[url] = got
						} else if got != want[url] {
							t.Fatalf("%s, round %d:\n got %swant %s", url, round, got, want[url])
						}
					}
				}
			}
			if !strings.Contains(want["http://a/1"], `"file 1"`) {
				t.Errorf("http://a/1: %s", want["http://a/1"])
			}
			a := s.(*archive)
			if a.long.file == nil {
				t.Error("there is no temporary file")
			}
			for e := range a.index.entries.all() {
				again := a.parts[e.part]
				again.long = nil
				if got, want := rest(t, &a.parts[e.part], e.position), rest(t, &again, e.position); got != want {
					t.Errorf("from %v: %d bytes and what comes after them, want %d", e.position, len(got), len(want))
				}
			}
			s.Close()
			if n := files(t, dir); n != 0 {
				t.Errorf("%d temporary files after Close", n)
			}
		})
	}
}

// rest returns all from a position on, and why it ends.
func rest(t *testing.T, p *part, at position) string {
	in, err := newMemberReader(p, at, lookupBuffer)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	return fmt.Sprintf("%s\n%v", data, err)
}

// files returns the number of files in a folder.
func files(t *testing.T, dir string) int {
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// TestLongMembersAreDecodedOnce: a member that is looked into again and again is not read
// from the archive any more: what of it changes there is not seen.
func TestLongMembersAreDecodedOnce(t *testing.T) {
	path := archiveFile(t, "a.warc.gz", gz(page("http://a/long", strings.Repeat("x", minLong))+page("http://a/1", "one")))
	s := open(t, path, Options{})
	for range freeLooks + 1 {
		one(t, s, "http://a/1")
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("?"), int(info.Size())), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
}

// TestLongMembersWithoutTemporaryFile: where no file can be made, each is decoded again.
func TestLongMembersWithoutTemporaryFile(t *testing.T) {
	s := openBytes(t, "a.warc.gz", gz(page("http://a/long", strings.Repeat("x", minLong))+page("http://a/1", "one")))
	t.Setenv("TMPDIR", "/nowhere")
	for range freeLooks + 2 {
		expect(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
	}
}
