package capture

import (
	"fmt"
	"iter"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// records is a file of records, by index. Each is the URL, and a description of the candidate.
type records []struct {
	url   string
	entry Entry
}

func (r records) String() string { return "records" }

func (r records) Scan(s *Scan) error {
	for i, row := range r {
		row.entry.URL, row.entry.At = urlkey.Hash(urlkey.Alike(row.url)), int64(i)
		s.Add(row.entry)
	}
	return nil
}

func (r records) Read(_ *Index, e *Entry) (*Candidate, string, error) {
	c := &Candidate{URL: r[e.At].url, Where: fmt.Sprint(e.At), Body: &body.Body{}}
	return c, c.URL, nil
}

func (records) Names(url string) []string {
	if name, ok := strings.CutPrefix(url, "http://named/"); ok {
		return []string{"name:" + name}
	}
	return nil
}

// found returns the places of candidates. A doubtful one ends in a question mark.
func found(t *testing.T, seq iter.Seq2[*Candidate, error]) (list []string) {
	t.Helper()
	for c, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		if c.Doubt != "" {
			c.Where += "?"
		}
		list = append(list, c.Where)
	}
	return list
}

// TestIndex: captures are found by URL, oldest first, and listed by place. Requests make the captures of their URL
// doubtful.
func TestIndex(t *testing.T) {
	file := records{
		0: {"http://h/a", Entry{Time: 2}}, 1: {"http://h/b", Entry{}}, 2: {"http://h/a", Entry{Time: 1}},
		3: {"https://h/a/", Entry{}}, 4: {"http://h/b", Entry{Flags: Request, Time: 9}},
		5: {"http://h/c", Entry{Flags: Useless}}, 6: {"http://h/e", Entry{Flags: Useless}},
		7: {"http://h/d", Entry{Flags: Alias}}, 8: {"http://h/b/", Entry{}},
	}
	x, err := Open([]File{file}, &Stats{})
	if err != nil {
		t.Fatal(err)
	}
	const a, b, b2 = ", found as http://h/a?", ", found as http://h/b?", ", found as http://h/b/?"
	for url, want := range map[string]string{
		"http://h/a": "2 0", "HTTP://h:80/./a": "2 0", "https://h/a/": "3",
		"http://h/a/": "3, found as https://h/a/? 2" + a + " 0" + a,
		"http://h/b":  "1? 8" + b2, "http://h/b/": "8? 1" + b, "http://h/c": "5", "http://h/d": "7", "": "",
	} {
		t.Run(url, func(t *testing.T) {
			if got := strings.Join(found(t, x.Lookup(url)), " "); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if got := strings.Join(found(t, x.All), " "); got != "0 1? 2 3 8?" || x.Stats().Kept != 5 {
		t.Errorf("listed %s, %d kept", got, x.Stats().Kept)
	}
}

// TestPayloads: entries are found by their payloads and times, in all joined sources.
func TestPayloads(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var all []Entry
	var sources []*Index
	for range 3 {
		var list []Entry
		for range 300 {
			e := Entry{URL: uint64(1 + r.Intn(5)), Time: int64(r.Intn(8)), Payload: uint64(r.Intn(4)), At: int64(len(all))}
			all = append(all, e)
			list = append(list, e)
		}
		sources = append(sources, &Index{files: []File{records{}}, entries: list})
	}
	x := Join(sources...)
	check := func(what string, seq iter.Seq2[File, *Entry], is func(Entry) bool) {
		t.Helper()
		var got, want []int64
		for _, e := range seq {
			got = append(got, e.At)
		}
		for _, e := range all {
			if is(e) {
				want = append(want, e.At)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	for h := range uint64(7) {
		check("payload", x.WithPayload(h), func(e Entry) bool { return h != 0 && e.Payload == h })
		check("URL", x.WithURL(h, 2, 5), func(e Entry) bool { return e.URL == h && e.Time >= 2 && e.Time <= 5 })
	}
}

// An entry has 48 bytes, so a million records take 48 MB.
func TestSizeOfEntry(t *testing.T) {
	if got := unsafe.Sizeof(Entry{}); got != 48 {
		t.Errorf("%d bytes", got)
	}
}
