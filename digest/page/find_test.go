package page_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
)

// fakeSource is a source in memory that counts look-ups.
type fakeSource struct {
	byURL   map[string][]*source.Candidate
	first   error // yielded before the candidates
	err     error // yielded after the candidates
	lookups int
	yielded int
}

func (k *fakeSource) LookupAlike(string) iter.Seq2[*source.Candidate, error] {
	return func(func(*source.Candidate, error) bool) {}
}

func (k *fakeSource) Lookup(url string) iter.Seq2[*source.Candidate, error] {
	k.lookups++
	return func(yield func(*source.Candidate, error) bool) {
		if k.first != nil && !yield(nil, k.first) {
			return
		}
		for _, c := range k.byURL[url] {
			k.yielded++
			if !yield(c, nil) {
				return
			}
		}
		if k.err != nil {
			yield(nil, k.err)
		}
	}
}

func (k *fakeSource) Stats() source.Stats { return source.Stats{} }
func (k *fakeSource) Close() error        { return nil }

func body(form, data string) source.Body {
	return source.NewBody(form, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil })
}

func gunzipped(data string) source.Body {
	return source.NewBody("gzip decoded",
		func() (io.ReadCloser, error) { return gzip.NewReader(strings.NewReader(data)) })
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// each returns all files that a search finds at a URL, and the first error.
func each(s *page.Search, url string) (files []page.File, first error) {
	for f, err := range s.Each(url) {
		if err == nil {
			files = append(files, f)
		} else if first == nil {
			first = err
		}
	}
	return files, first
}

// found returns all files that a search finds at a URL.
func found(s *page.Search, url string) []page.File { return slices.Collect(s.Find(url)) }

func where(files []page.File) []string {
	var list []string
	for _, f := range files {
		list = append(list, f.Where)
	}
	return list
}

func TestSearch(t *testing.T) {
	zipped := gzipped("A")
	src := &fakeSource{byURL: map[string][]*source.Candidate{
		site + "a": {
			{Where: "uncertain", Uncertain: true, Bodies: []source.Body{body(source.AsStored, "L")}},
			{Where: "zipped", MediaType: "text/html",
				Bodies: []source.Body{body(source.AsStored, zipped), gunzipped(zipped)}},
			{Where: "lying", Bodies: []source.Body{body(source.AsStored, "B"), gunzipped("B")}},
			{Where: "again", Bodies: []source.Body{body(source.AsStored, "A")}},
		},
	}}
	s := page.FromSource(src)
	for range 2 {
		got := found(s, site+"a")
		if want := []string{"zipped (gzip decoded)", "zipped", "uncertain", "lying"}; !slices.Equal(where(got), want) {
			t.Fatalf("found %q, want %q", where(got), want)
		}
		if got[0].ID != sum("A") || got[1].ID != sum(zipped) || got[3].ID != sum("B") ||
			got[0].MediaType != "text/html" {
			t.Errorf("found %v", got)
		}
		if data, err := got[0].Data(); string(data) != "A" || err != nil {
			t.Errorf("data %q, %v, want A", data, err)
		}
	}
	if src.lookups != 2 {
		t.Errorf("%d look-ups, want 2: of the first thing, and of the others", src.lookups)
	}
	if errs, more := s.Errors(); len(errs) != 0 || more != 0 {
		t.Errorf("errors %v, %d more, want no errors: a form that the data do not have is left out", errs, more)
	}
}

// TestSearchGuessesTypes: if a source does not declare a media type, the data determine it.
func TestSearchGuessesTypes(t *testing.T) {
	for data, want := range map[string]string{
		"<!-- x --><p>":           "text/html",
		"Hello <IMG src=a>":       "text/html",
		"<frameset><frame>":       "text/html",
		"\xff\xfe<\x00p\x00>\x00": "text/html",
		"\xfe\xff\x00<\x00p\x00>": "text/html",
		"a < b, <imgs>":           "text/plain",
		"%PDF-1.4":                "application/pdf",
		"GIF89a<p>":               "image/gif",
	} {
		t.Run(data, func(t *testing.T) {
			for _, said := range []string{"", "application/octet-stream"} {
				src := &fakeSource{byURL: map[string][]*source.Candidate{site: {{MediaType: said,
					Bodies: []source.Body{body(source.AsStored, data)}}}}}
				if got := found(page.FromSource(src), site)[0].MediaType; got != want {
					t.Errorf("%q of type %q is %s, want %s", data, said, got, want)
				}
			}
		})
	}
}

// TestSearchDigestsWhatThereIs: the digest covers the whole body, even if it is empty or longer than headSize.
func TestSearchDigestsWhatThereIs(t *testing.T) {
	for _, data := range []string{"", "A", strings.Repeat("A", 511), strings.Repeat("A", 512),
		strings.Repeat("A", 5000)} {
		t.Run(data, func(t *testing.T) {
			src := &fakeSource{byURL: map[string][]*source.Candidate{site: {{Bodies: []source.Body{body(source.AsStored,
				data)}}}}}
			if got, err := each(page.FromSource(src), site); len(got) != 1 || err != nil || got[0].ID != sum(data) {
				t.Errorf("%d bytes: found %v, %v, want %v", len(data), got, err, sum(data))
			}
		})
	}
}

// TestSearchKnowsWhatIsStored: the stored form of a compressed file has the media type of the decoded data, in which
// references are searched.
func TestSearchKnowsWhatIsStored(t *testing.T) {
	zipped := gzipped("<p>A")
	src := &fakeSource{byURL: map[string][]*source.Candidate{site: {{Bodies: []source.Body{gunzipped(zipped),
		body(source.AsStored, zipped)}}}}}
	got := found(page.FromSource(src), site)
	if len(got) != 2 || got[0].ID != sum("<p>A") || got[1].ID != sum(zipped) || got[1].MediaType != "text/html" {
		t.Fatalf("found %+v, want the decoded file and then the stored one", got)
	}
	for i, want := range []string{"<p>A", zipped} {
		t.Run(want, func(t *testing.T) {
			data, plain, err := got[i].Read()
			if string(data) != want || string(plain) != "<p>A" || err != nil {
				t.Errorf("Read = %q, %q, %v", data, plain, err)
			}
		})
	}
}

// TestSearchNeedsWholeBodies: a read error at any position of a body gives an error, and never an identifier.
func TestSearchNeedsWholeBodies(t *testing.T) {
	disk := errors.New("disk failure")
	for _, n := range []int{0, 10, 512, 5000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			broken := source.NewBody(source.AsStored, func() (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(strings.NewReader(strings.Repeat("A", n)), iotest.ErrReader(disk))), nil
			})
			src := &fakeSource{byURL: map[string][]*source.Candidate{site: {{Bodies: []source.Body{broken}}}}}
			if got, err := each(page.FromSource(src), site); got != nil || !errors.Is(err, disk) {
				t.Errorf("%d bytes: found %v, %v, want the error", n, got, err)
			}
		})
	}
}

// Data before a flaw are a result, marked uncertain; without data, the flaw is the error.
func TestSearchSaysWhereDataEndInAFlaw(t *testing.T) {
	flaw := &source.Flaw{Reason: "it breaks off"}
	for _, data := range []string{"A", ""} {
		t.Run(data, func(t *testing.T) {
			b := source.NewBody(source.AsStored, func() (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(strings.NewReader(data), iotest.ErrReader(flaw))), nil
			})
			s := page.FromSource(&fakeSource{byURL: map[string][]*source.Candidate{site: {{Where: "there",
				Bodies: []source.Body{b}}}}})
			got, err := each(s, site)
			if errs, _ := s.Errors(); len(errs) != 1 || errs[0].Error() != "there: it breaks off" {
				t.Errorf("%q: errors %v", data, errs)
			}
			if data == "" {
				if got != nil || !errors.Is(err, flaw) {
					t.Errorf("of nothing, found %v, %v", got, err)
				}
			} else if len(got) != 1 || got[0].ID != sum(data) || !got[0].Uncertain || got[0].Flaw != flaw || err != nil {
				t.Errorf("found %+v, %v, want what is there, uncertain", got, err)
			}
		})
	}
}

// Data are read again when they are needed, and may be gone by then.
func TestDataMayBeGone(t *testing.T) {
	disk := errors.New("disk failure")
	opened := 0
	for name, second := range map[string]func() (io.ReadCloser, error){
		"does not open": func() (io.ReadCloser, error) { return nil, disk },
		"breaks off":    func() (io.ReadCloser, error) { return io.NopCloser(iotest.ErrReader(disk)), nil },
	} {
		t.Run(name, func(t *testing.T) {
			opened = 0
			b := source.NewBody(source.AsStored, func() (io.ReadCloser, error) {
				if opened++; opened > 1 {
					return second()
				}
				return io.NopCloser(strings.NewReader("A")), nil
			})
			src := &fakeSource{byURL: map[string][]*source.Candidate{site: {{Bodies: []source.Body{b}}}}}
			got := found(page.FromSource(src), site)
			if data, err := got[0].Data(); data != nil || !errors.Is(err, disk) {
				t.Errorf("%s: data %q, %v, want the error", name, data, err)
			}
			if _, _, err := got[0].Read(); !errors.Is(err, disk) {
				t.Errorf("%s: Read: %v, want the error", name, err)
			}
		})
	}
}

func TestReadFailsWithEitherForm(t *testing.T) {
	disk := errors.New("disk failure")
	good := func() ([]byte, error) { return []byte("A"), nil }
	bad := func() ([]byte, error) { return nil, disk }
	for i, f := range []page.File{{Data: bad, Plain: good}, {Data: good, Plain: bad}, {Data: bad}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, _, err := f.Read(); err != disk {
				t.Errorf("Read = %v, want the error", err)
			}
		})
	}
}

// TestSearchGoesOnAfterErrors: an error before a file does not hide the file.
func TestSearchGoesOnAfterErrors(t *testing.T) {
	first, last := errors.New("first"), errors.New("last")
	s := page.FromSource(&fakeSource{first: first, err: last, byURL: map[string][]*source.Candidate{
		site: {{Where: "there", Bodies: []source.Body{body(source.AsStored, "A")}}},
	}})
	got, err := each(s, site)
	if want := []string{"there"}; !slices.Equal(where(got), want) || err != first {
		t.Errorf("found %q, %v, want %q and the first error", where(got), err, want)
	}
}

// TestSearchRemembers: the results of maxKnown URLs are remembered; at one more URL, all are forgotten.
func TestSearchRemembers(t *testing.T) {
	src := &fakeSource{}
	s := page.FromSource(src)
	found(s, site)
	for i := range 1<<16 - 1 {
		found(s, site+strconv.Itoa(i))
	}
	found(s, site)
	if want := 1 << 16; src.lookups != want {
		t.Errorf("%d look-ups of %d URLs", src.lookups, want)
	}
	found(s, site+"one more")
	found(s, site)
	if want := 1<<16 + 2; src.lookups != want {
		t.Errorf("%d look-ups, want %d: the Search begins anew", src.lookups, want)
	}
}

// TestSearchIsExhausted: a capture that many URLs lead to is read once. If very many URLs lead to the same captures,
// the Search stops and reports that it is exhausted.
func TestSearchIsExhausted(t *testing.T) {
	opened := 0
	same := make([]*source.Candidate, 1000)
	for i := range same {
		same[i] = &source.Candidate{Where: strconv.Itoa(i),
			Bodies: []source.Body{source.NewBody(source.AsStored, func() (io.ReadCloser, error) {
				opened++
				return io.NopCloser(strings.NewReader("A")), nil
			})}}
	}
	src := &fakeSource{byURL: map[string][]*source.Candidate{}}
	s := page.FromSource(src)
	for i := range 200 {
		url := site + strconv.Itoa(i)
		src.byURL[url] = same
		found(s, url)
		if i < 100 && (s.Exhausted() || s.Capped() != nil) {
			t.Fatalf("exhausted after %d URLs", i)
		}
	}
	if opened != len(same) {
		t.Errorf("%d bodies are read %d times", len(same), opened)
	}
	if !s.Exhausted() || s.Capped() != page.ErrExhausted {
		t.Errorf("exhausted: %v, %v", s.Exhausted(), s.Capped())
	}
}

// TestSearchAsksForOneThingFirst: after the first file, the Search does not look for more unless the caller asks.
func TestSearchAsksForOneThingFirst(t *testing.T) {
	src := &fakeSource{byURL: map[string][]*source.Candidate{}}
	for n := range 3 {
		at := strconv.Itoa(n)
		src.byURL[site] = append(src.byURL[site],
			&source.Candidate{URL: site, Where: at, Bodies: []source.Body{body(source.AsStored, at)}})
	}
	for range page.FromSource(src).Find(site) {
		break
	}
	if src.yielded != 1 {
		t.Errorf("%d things were asked for", src.yielded)
	}
}

// The target of redirects is looked up once for all URLs that lead to it. Large results, or results of many such
// URLs, are looked up again with the same outcome.
func TestSearchRemembersWhatRedirectsLeadTo(t *testing.T) {
	for _, tt := range []struct{ targets, atEach, lookups int }{
		{1, 1, 2 * (20 + 1)}, {1, 30, 3*20 + 3}, {1, 31, 4*20 + 4}, {1, 32, 4*20 + 4*20}, {20, 1, 2 * (20 + 20)},
		{16, 1, 2 * (20 + 16)}, {17, 1, 2 * (20 + 17 + 3)},
	} {
		t.Run(fmt.Sprint(tt.targets), func(t *testing.T) {
			src := &fakeSource{byURL: map[string][]*source.Candidate{}}
			s := page.FromSource(src)
			target := func(i int) string { return site + "target" + strconv.Itoa(i%tt.targets) }
			for i := range tt.targets {
				for n := range tt.atEach {
					at := target(i) + ":" + strconv.Itoa(n)
					src.byURL[target(i)] = append(src.byURL[target(i)],
						&source.Candidate{URL: target(i), Where: at, Bodies: []source.Body{body(source.AsStored, at)}})
				}
			}
			for i := range 20 {
				url := site + strconv.Itoa(i)
				src.byURL[url] = []*source.Candidate{{URL: url, Redirect: target(i)}}
				if got := found(s, url); len(got) != tt.atEach || got[0].Where != target(i)+":0" {
					t.Errorf("%+v: URL %d: %q", tt, i, where(got))
				}
			}
			if src.lookups != tt.lookups {
				t.Errorf("%+v: %d look-ups", tt, src.lookups)
			}
		})
	}
}

// TestSearchReadsDataOnce: data that several candidates share are read once in each form. Each candidate keeps its own
// URL and place.
func TestSearchReadsDataOnce(t *testing.T) {
	opened := 0
	counted := func(form string) source.Body {
		return source.NewBody(form, func() (io.ReadCloser, error) {
			opened++
			return io.NopCloser(strings.NewReader("<p>" + form)), nil
		})
	}
	src := &fakeSource{byURL: map[string][]*source.Candidate{}}
	s := page.FromSource(src)
	for i := range 10 {
		url, line := site+strconv.Itoa(i), "line "+strconv.Itoa(i)
		src.byURL[url] = []*source.Candidate{{URL: url, Where: line, Data: "file",
			Bodies: []source.Body{counted(source.AsStored), counted("gzip decoded")}}}
		got := found(s, url)
		if want := []string{line + " (gzip decoded)", line}; !slices.Equal(where(got), want) ||
			got[1].MediaType != "text/html" || got[0].ID == got[1].ID {
			t.Errorf("%v, want %q", got, want)
		}
	}
	src.byURL[site] = []*source.Candidate{{URL: site, Where: "line", Data: "other",
		Bodies: []source.Body{body(source.AsStored, "other")}}}
	if got := found(s, site); opened != 2 || len(got) != 1 || got[0].MediaType != "text/plain" {
		t.Errorf("2 forms of one file are read %d times; of another: %v", opened, got)
	}
}

// counting returns a body that counts how often it is opened.
func counting(data string, opened *int) source.Body {
	return source.NewBody(source.AsStored, func() (io.ReadCloser, error) {
		*opened++
		return io.NopCloser(strings.NewReader(data)), nil
	})
}

// TestSearchReadsPayloadsOnce: captures with the same payload digest are read once, if the data match it. A damaged
// capture does not make the others doubtful.
func TestSearchReadsPayloadsOnce(t *testing.T) {
	for _, row := range []struct {
		name              string
		data              []string
		reads             int
		certain, doubtful []string
	}{
		{"all the same", []string{"A", "A", "A", "A"}, 1, []string{"0"}, nil},
		{"the first is damaged", []string{"B", "A", "A"}, 1 + 1 + 2, []string{"1"}, []string{"0"}},
		{"a later one is damaged, which does not matter", []string{"A", "B"}, 1, []string{"0"}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			opened := 0
			src := &fakeSource{byURL: map[string][]*source.Candidate{}}
			for i, data := range row.data {
				payload := source.Checksum("md5:" + sum("A").String())
				src.byURL[site] = append(src.byURL[site],
					&source.Candidate{Where: strconv.Itoa(i), Data: "A, 1 byte", Payload: payload,
						Bodies: []source.Body{counting(data, &opened)}})
			}
			var certain, doubtful []string
			for _, f := range found(page.FromSource(src), site) {
				if f.Uncertain != (f.Flaw != nil) || f.Flaw != nil && !f.Flaw.Damaged {
					t.Errorf("%s: uncertain %v, %v", f.Where, f.Uncertain, f.Flaw)
				}
				if f.Uncertain {
					doubtful = append(doubtful, f.Where)
				} else {
					certain = append(certain, f.Where)
				}
			}
			if !slices.Equal(certain, row.certain) || !slices.Equal(doubtful, row.doubtful) {
				t.Errorf("certain %q, doubtful %q", certain, doubtful)
			}
			if opened != row.reads {
				t.Errorf("%d bodies are read, want %d", opened, row.reads)
			}
		})
	}
}

// TestSearchReadsWhatIsAskedFor: captures are read only if the caller asks for more.
func TestSearchReadsWhatIsAskedFor(t *testing.T) {
	opened := 0
	src := &fakeSource{byURL: map[string][]*source.Candidate{}}
	for i := range 80 {
		src.byURL[site] = append(src.byURL[site],
			&source.Candidate{Where: strconv.Itoa(i), Bodies: []source.Body{counting(strconv.Itoa(i), &opened)}})
	}
	s := page.FromSource(src)
	for range 2 {
		for f := range s.Find(site) {
			if f.ID == sum("0") {
				break
			}
		}
	}
	if opened != 1 {
		t.Errorf("%d captures are read to find the first", opened)
	}
	if n := len(found(s, site)); n != 80 || opened != 80 {
		t.Errorf("%d captures are found, %d read, want 80", n, opened)
	}
	// The same holds for the files of a page.
	opened = 0
	p := page.New([]byte("<img src=/>"), "text/html", site, page.FromSource(src).Find)
	if c, ok := p.Match(sum("<img src=/>" + raw("0"))); !ok || opened != 1 {
		t.Errorf("%v, %v, %d captures are read", c, ok, opened)
	}
	if _, ok := p.Match(sum("<img src=/>" + raw("20"))); !ok || opened != 80 {
		t.Errorf("%v, %d captures are read", ok, opened)
	}
}

// TestSearchIsCapped: if a URL has more captures than the limit, the Search reports it.
func TestSearchIsCapped(t *testing.T) {
	for _, n := range []int{1000, 1001} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			list := make([]*source.Candidate, n)
			for i := range list {
				list[i] = &source.Candidate{Redirect: site, Where: strconv.Itoa(i)}
			}
			s := page.FromSource(&fakeSource{byURL: map[string][]*source.Candidate{site: list}})
			_, err := each(s, site)
			if tooMany, ok := errors.AsType[*source.TooMany](err); ok != (n > 1000) || ok != (s.Capped() != nil) ||
				ok && (tooMany.Limit != 1000 || tooMany.URL != site) {
				t.Errorf("%d redirects: %v, capped by %v", n, err, s.Capped())
			}
		})
	}
}

func TestSearchKeepsErrors(t *testing.T) {
	disk := errors.New("disk failure")
	broken := source.NewBody(source.AsStored, func() (io.ReadCloser, error) { return nil, disk })
	s := page.FromSource(&fakeSource{err: disk, byURL: map[string][]*source.Candidate{
		site: {{Where: "broken", Bodies: []source.Body{broken}}},
	}})
	if got := found(s, site); got != nil {
		t.Errorf("found %v", got)
	}
	errs, more := s.Errors()
	if len(errs) != 2 || more != 0 || !errors.Is(errs[0], disk) || errs[0].Error() != "broken: disk failure" ||
		errs[1] != disk {
		t.Errorf("errors %v, %d more, want two", errs, more)
	}
	for i := range 200 {
		found(s, site+strings.Repeat("x", i+1))
	}
	if errs, more := s.Errors(); len(errs) != 100 || more != 102 {
		t.Errorf("%d errors, %d more, want 100 and 102", len(errs), more)
	}
}

// TestSearchSaysWhatIsTooLarge: a body that is too large to be decoded is reported, and its stored form is uncertain.
func TestSearchSaysWhatIsTooLarge(t *testing.T) {
	bomb := source.NewBody("gzip decoded",
		func() (io.ReadCloser, error) { return nil, &source.TooLarge{Limit: source.MaxBody} })
	s := page.FromSource(&fakeSource{byURL: map[string][]*source.Candidate{
		site: {
			{Where: "bomb", Bodies: []source.Body{body(source.AsStored, "zipped"), bomb}},
			{Where: "other", Failed: true, Bodies: []source.Body{body(source.AsStored, "A")}},
		},
	}})
	got, err := each(s, site)
	if tooLarge, ok := errors.AsType[*source.TooLarge](err); !ok || tooLarge.Limit != source.MaxBody ||
		!strings.HasPrefix(err.Error(), "bomb: ") {
		t.Errorf("error %v, want a *source.TooLarge", err)
	}
	if want := []string{"other", "bomb"}; !slices.Equal(where(got), want) || got[0].Uncertain || !got[0].Failed ||
		!got[1].Uncertain || got[1].Failed {
		t.Errorf("found %v, want the other one first, and the bomb uncertain", got)
	}
}

// endlessReader is a file of n bytes.
type endlessReader struct{ left int64 }

func (e *endlessReader) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), e.left)
	e.left -= n
	return int(n), nil
}

// TestSearchReadsTheLargestSource: a source of exactly MaxSource bytes is searched for references.
func TestSearchReadsTheLargestSource(t *testing.T) {
	b := source.NewBody(source.AsStored,
		func() (io.ReadCloser, error) { return io.NopCloser(&endlessReader{page.MaxSource}), nil })
	src := &fakeSource{byURL: map[string][]*source.Candidate{site: {{Bodies: []source.Body{b}}}}}
	got := found(page.FromSource(src), site)
	if data, err := got[0].Data(); len(data) != page.MaxSource || err != nil {
		t.Errorf("%d bytes, %v, want all", len(data), err)
	}
}

func TestReadSourceIsCapped(t *testing.T) {
	if b, err := page.ReadSource(&endlessReader{page.MaxSource}); len(b) != page.MaxSource || err != nil {
		t.Errorf("%d bytes, %v, want all", len(b), err)
	}
	b, err := page.ReadSource(&endlessReader{page.MaxSource + 1})
	if tooLarge, ok := errors.AsType[*source.TooLarge](err); !ok || b != nil || tooLarge.Limit != page.MaxSource {
		t.Errorf("%d bytes, %v, want a *source.TooLarge", len(b), err)
	}
}
