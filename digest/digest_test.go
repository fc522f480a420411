package digest_test

import (
	"bytes"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

const page = `<html><img src="a.gif"><img src="b.gif"><img src="a.gif"></html>`

func must(s string) digest.ID {
	id, err := digest.Parse(s)
	if err != nil {
		panic(err)
	}
	return id
}

// known returns a function that accepts only these identifiers.
func known(ids ...digest.ID) func(digest.ID) bool {
	return func(id digest.ID) bool {
		for _, k := range ids {
			if id == k {
				return true
			}
		}
		return false
	}
}

// TestPage runs the cases of testdata/digest, whose README describes them. A case without files is also a case for
// Image.
func TestPage(t *testing.T) {
	for _, row := range webcapturetest.Rows(t, "../testdata/digest/pages.tsv") {
		t.Run(row[3], func(t *testing.T) {
			source, want := row[0], row[2]
			var files []digest.Auxiliary
			for _, f := range strings.Fields(row[1]) {
				name, id, _ := strings.Cut(f, "=")
				files = append(files, digest.Auxiliary{Name: name, ID: must(id)})
			}
			if id, err := digest.Page(strings.NewReader(source), files); err != nil || id.String() != want {
				t.Errorf("Page = %v, %v, want %s", id, err, want)
			}
			if files != nil {
				return
			}
			if id, err := digest.Image(strings.NewReader(source)); err != nil || id.String() != want {
				t.Errorf("Image(%q) = %v, %v, want %s", source, id, err, want)
			}
		})
	}
}

func TestReadErrorsSurface(t *testing.T) {
	disk := errors.New("disk failure")
	for name, f := range map[string]func(io.Reader) (digest.ID, error){
		"Image": digest.Image,
		"Page": func(r io.Reader) (digest.ID, error) {
			return digest.Page(r, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if id, err := f(io.MultiReader(strings.NewReader("x"), iotest.ErrReader(disk))); !errors.Is(err, disk) ||
				id != (digest.ID{}) {
				t.Errorf("%s = %v, %v, want the error of the reader", name, id, err)
			}
		})
	}
}

// TestSource: one Source computes the identifiers of several pages.
func TestSource(t *testing.T) {
	s, err := digest.NewSource(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	files := []digest.Auxiliary{{"a.gif", must("15fc02d338388721ae9377f08fa03733")},
		{"b.gif", must("cc53cb6235df573dc77bad22e06dde59")}}
	for range 2 {
		if got, want := s.ID().String(), "a13c824b38f1766d563a555dafe7e766"; got != want {
			t.Errorf("ID = %s, want %s", got, want)
		}
		if got, want := s.Page(files).String(), "335139d6a61eb935fd2a05a9d36de6fe"; got != want {
			t.Errorf("Page = %s, want %s", got, want)
		}
	}
}

func TestText(t *testing.T) {
	var text digest.Text
	empty, err := digest.Image(strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	if got := text.ID(); got != empty {
		t.Errorf("ID of no text = %v, want %v", got, empty)
	}
	text.Add("GIF89a")
	text.ID() // does not end the text
	text.Add("-A")
	if got, want := text.ID().String(), "15fc02d338388721ae9377f08fa03733"; got != want {
		t.Errorf("ID = %s, want %s", got, want)
	}
}

func TestParse(t *testing.T) {
	const want = "00412e5cff102030405060708090a0b0"
	for _, s := range []string{want, strings.ToUpper(want)} {
		t.Run(s, func(t *testing.T) {
			if id, err := digest.Parse(s); err != nil || id.String() != want {
				t.Errorf("Parse(%q) = %v, %v, want %s", s, id, err, want)
			}
		})
	}
	for _, s := range []string{"", want[1:], want + "0", "g" + want[1:], " " + want} {
		t.Run(s, func(t *testing.T) {
			if id, err := digest.Parse(s); err == nil || id != (digest.ID{}) {
				t.Errorf("Parse(%q) = %v, %v, want an error", s, id, err)
			}
		})
	}
}

func TestFromBytes(t *testing.T) {
	id := must("00412e5cff102030405060708090a0b0")
	if got, ok := digest.FromBytes(id[:]); !ok || got != id {
		t.Errorf("FromBytes = %v, %t, want %v, true", got, ok, id)
	}
	for _, n := range []int{0, 15, 17} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got, ok := digest.FromBytes(make([]byte, n)); ok {
				t.Errorf("FromBytes of %d bytes = %v, true, want false", n, got)
			}
		})
	}
}

func TestTextForm(t *testing.T) {
	id := must("00412e5cff102030405060708090a0b0")
	b, err := json.Marshal(map[digest.ID]digest.ID{id: id})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(b), `{"00412e5cff102030405060708090a0b0":"00412e5cff102030405060708090a0b0"}`; got != want {
		t.Errorf("JSON = %s, want %s", got, want)
	}
	var back map[digest.ID]digest.ID
	if err := json.Unmarshal(b, &back); err != nil || back[id] != id {
		t.Errorf("round trip = %v, %v", back, err)
	}
	kept := id
	if err := kept.UnmarshalText([]byte("nonsense")); err == nil || kept != id {
		t.Errorf("UnmarshalText of nonsense: %v, %v, want an error and %v", err, kept, id)
	}
}

// BenchmarkMD5 measures the digest itself, for comparison with BenchmarkImage and BenchmarkPage.
func BenchmarkMD5(b *testing.B) {
	data := make([]byte, 16<<20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		md5.Sum(data)
	}
}

func BenchmarkImage(b *testing.B) {
	data := make([]byte, 16<<20)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		digest.Image(bytes.NewReader(data))
	}
}

func BenchmarkPage(b *testing.B) {
	data, files := make([]byte, 1<<20), make([]digest.Auxiliary, 100)
	for i := range files {
		files[i].Name = fmt.Sprint(i)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		digest.Page(bytes.NewReader(data), files)
	}
}

func ExampleImage() {
	id, err := digest.Image(strings.NewReader("GIF89a-A"))
	if err != nil {
		panic(err)
	}
	fmt.Println(id)
	// Output: 15fc02d338388721ae9377f08fa03733
}

func ExampleText() {
	var text digest.Text
	text.Add("Hello, ")
	text.Add("world")
	fmt.Println(text.ID())
	// Output: bc6e6f16b8a077ef5fbc8d59d0b931b9
}

func ExamplePage() {
	const source = `<html><img src="a.gif"><img src="b.gif"><img src="a.gif"></html>`
	a, _ := digest.Image(strings.NewReader("GIF89a-A"))
	b, _ := digest.Image(strings.NewReader("GIF89a-B"))
	id, err := digest.Page(strings.NewReader(source), []digest.Auxiliary{{"a.gif", a}, {"b.gif", b}, {"a.gif", a}})
	if err != nil {
		panic(err)
	}
	fmt.Println(id)
	// Output: 335139d6a61eb935fd2a05a9d36de6fe
}
