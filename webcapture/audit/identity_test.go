package audit_test

import (
	"bytes"
	"crypto/md5"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// captured is a small site: a page with two images, one of them twice, a page
// without any, a PDF file and a plain text.
func captured(t *testing.T) []webcapturetest.Resource {
	t.Helper()
	at := "http://www.example.com"
	return []webcapturetest.Resource{
		{URL: at + "/", MediaType: "text/html", Aux: []int{1, 2}, Body: []byte(
			`<html><head><title>Start</title></head><body><img src="i/a.gif"><p>Some <img src="/i/b.jpg"> text <img src="i/a.gif"></body></html>`)},
		{URL: at + "/i/a.gif", MediaType: "image/gif",
			Body: picture(t, func(b *bytes.Buffer, m image.Image) error { return gif.Encode(b, m, nil) })},
		{URL: at + "/i/b.jpg", MediaType: "image/jpeg",
			Body: picture(t, func(b *bytes.Buffer, m image.Image) error { return jpeg.Encode(b, m, nil) })},
		{URL: at + "/plain.html", MediaType: "text/html",
			Body: []byte("<html><body><a href=\"/\">back</a></body></html>")},
		{URL: at + "/doc.pdf", MediaType: "application/pdf", Body: []byte("%PDF-1.4\nof a kind\n")},
		{URL: at + "/read.me", MediaType: "text/plain", Body: []byte("read me\n")},
	}
}

func picture(t *testing.T, encode func(*bytes.Buffer, image.Image) error) []byte {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, 4, 3), color.Palette{color.White, color.Black})
	m.Pix[5] = 1
	var b bytes.Buffer
	if err := encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// stored writes resources as a source of a kind and opens it. The kind is
// guessed, as it is for people who do not name it.
func stored(t *testing.T, kind string, list []webcapturetest.Resource) source.Source {
	t.Helper()
	var resources []sourcetest.Resource
	for _, r := range list {
		resources = append(resources, sourcetest.Resource{URL: r.URL, MediaType: r.MediaType, Body: r.Body})
	}
	path, err := sourcetest.Write(t.TempDir(), kind, resources)
	if err != nil {
		t.Fatal(err)
	}
	src, err := source.Open("", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

// identities audits a file and returns the identity of each content set, by its URL and subtype.
func identities(t *testing.T, pdf []byte, opt audit.Options) (map[string]rule.Identity, *audit.Report) {
	t.Helper()
	rep, err := audit.Bytes(t.Context(), "x.pdf", pdf, opt)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]rule.Identity{}
	for _, i := range rep.Identities {
		m[string(i.URL)+" "+i.Subtype.String()] = i
	}
	if len(m) != len(rep.Identities) {
		t.Fatalf("%d sets have %d names", len(rep.Identities), len(m))
	}
	return m, rep
}

// TestRoundTrip: a source with the captured files verifies every content set. If one byte of an image changes, its set
// is a mismatch if the source has dates. Another page set is not checkable.
func TestRoundTrip(t *testing.T) {
	list := captured(t)
	pdf := webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	for _, kind := range sourcetest.Kinds() {
		t.Run(kind, func(t *testing.T) {
			all, rep := identities(t, pdf, audit.Options{Source: stored(t, kind, list)})
			if len(all) != len(list) {
				t.Errorf("%d sets, want %d", len(all), len(list))
			}
			for name, i := range all {
				if i.Proof != rule.Verified || i.Where == "" || i.Reading == "" || i.Reason != "" {
					t.Errorf("%s: %v by %q at %q: %s, want verified", name, i.Proof, i.Reading, i.Where, i.Reason)
				}
			}
			if n := count(rep, "WC512"); n != 0 {
				t.Errorf("%d findings of WC512, want none", n)
			}
			for k := range list {
				flipped := slices.Clone(list)
				flipped[k].Body = bytes.Clone(list[k].Body)
				flipped[k].Body[len(flipped[k].Body)/2] ^= 1
				got, rep := identities(t, pdf, audit.Options{Source: stored(t, kind, flipped)})
				proof, findings := rule.NotCheckable, 0
				if slices.Contains(dated, kind) && strings.HasPrefix(list[k].MediaType, "image/") {
					proof, findings = rule.Mismatch, 1
				}
				for name, i := range got {
					want := rule.Verified
					if strings.HasPrefix(name, list[k].URL+" ") {
						want = proof
					}
					if i.Proof != want {
						t.Errorf("%s, one byte turned in %s: %v by %q: %s, want %v", name, list[k].URL, i.Proof,
							i.Reading, i.Reason, want)
					}
				}
				if n := count(rep, "WC512"); n != findings {
					t.Errorf("one byte turned in %s: %d findings of WC512, want %d", list[k].URL, n, findings)
				}
			}
		})
	}
}

// dated are the kinds of sources whose captures have dates.
var dated = []string{"warc", "warc.gz", "arc", "arc.gz", "wacz", "har"}

func count(rep *audit.Report, rule string) int {
	n := 0
	for _, f := range rep.Findings {
		if f.Rule.ID == rule {
			n++
		}
	}
	return n
}

// TestOwnData: without a capture in the sources, only an image that is stored as it was fetched is verified.
func TestOwnData(t *testing.T) {
	pdf := webcapturetest.Site(captured(t), webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	all, _ := identities(t, pdf, audit.Options{Source: memory()})
	for name, i := range all {
		jpeg := strings.Contains(name, "jpg")
		if jpeg != (i.Proof == rule.Verified) || !jpeg && i.Proof != rule.NotCheckable {
			t.Errorf("%s: %v, %s", name, i.Proof, i.Reason)
		}
		if i.Proof == rule.Verified && i.Reason != "" {
			t.Errorf("%s is verified, but %s", name, i.Reason)
		}
	}
}

// TestNoSources: without sources nothing is looked up, and nothing is claimed.
func TestNoSources(t *testing.T) {
	pdf := webcapturetest.Site(captured(t), webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	if _, rep := identities(t, pdf, audit.Options{}); rep.Identities != nil {
		t.Errorf("%d identities without a source", len(rep.Identities))
	}
}

// TestOutcomes has a row for each of several reasons that an ID is not verified, and one for an ID that is.
func TestOutcomes(t *testing.T) {
	list := captured(t)
	other := func(k int, body string) func() []webcapturetest.Resource {
		return func() []webcapturetest.Resource {
			l := slices.Clone(list)
			l[k].Body = []byte(body)
			return l
		}
	}
	without := func(indexes ...int) func() []webcapturetest.Resource {
		return func() []webcapturetest.Resource {
			var l []webcapturetest.Resource
			for i, r := range list {
				if !slices.Contains(indexes, i) {
					l = append(l, r)
				}
			}
			return l
		}
	}
	acrobat := func(version string) webcapturetest.SiteOptions {
		return webcapturetest.SiteOptions{Producer: "Acrobat Web Capture " + version}
	}
	const page, image, pdf, text = 0, 1, 4, 5
	for _, row := range []struct {
		name   string
		o      webcapturetest.SiteOptions
		source func() []webcapturetest.Resource
		of     int
		proof  rule.Proof
		say    string
	}{
		{"the URL is in no source", webcapturetest.SiteOptions{}, without(page), page, rule.NotCheckable,
			"no source has the URL"},
		{"another page", webcapturetest.SiteOptions{}, other(page, `<img src="i/a.gif">`), page, rule.NotCheckable,
			"no reading"},
		{"another page, of which not all is known", webcapturetest.SiteOptions{},
			other(page, `<img src="nowhere.gif">`), page, rule.NotCheckable, "no reading"},
		{"another page by Acrobat 6", acrobat("6.0"), other(page, "x"), page, rule.NotCheckable, "no reading"},
		{"another page by Acrobat 9", acrobat("9.0"), other(page, "x"), page, rule.NotCheckable, "not reproducible"},
		{"another page by Acrobat 15", acrobat("15.0"), other(page, "x"), page, rule.NotCheckable, "not reproducible"},
		{"another text by Acrobat 11", acrobat("11.0"), other(text, "x"), text, rule.NotCheckable, "not reproducible"},
		{"another PDF by Acrobat 11", acrobat("11.0"), other(pdf, "%PDF-1.4\nx"), pdf, rule.NotCheckable,
			"not reproducible"},
		{"another image by Acrobat 11", acrobat("11.0"), other(image, "GIF89a"), image, rule.Mismatch,
			"the MD5 of the source is"},
		{"an image of which the page's source is not to be had", webcapturetest.SiteOptions{}, without(image), page,
			rule.Verified, "images, raw, 1 of its files known only by IDs in the database"},
	} {
		t.Run(row.name, func(t *testing.T) {
			data := webcapturetest.Site(list, row.o).Bytes(webcapturetest.Layout{})
			got, _ := identities(t, data, audit.Options{Source: stored(t, "warc", row.source())})
			kind := webcapture.PageSet
			if row.of == image {
				kind = webcapture.ImageSet
			}
			i := got[list[row.of].URL+" "+kind.String()]
			if say := i.Reading + i.Reason; i.Proof != row.proof || !strings.Contains(say, row.say) {
				t.Errorf("%v: %q, want %v: …%q…", i.Proof, say, row.proof, row.say)
			}
		})
	}
}

// TestOutcomesWithoutURLS: without URLS it is unknown which files of a page the content database has.
func TestOutcomesWithoutURLS(t *testing.T) {
	list := captured(t)
	data := bytes.Replace(webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{}),
		[]byte("/URLS"), []byte("/Gone"), 1)
	got, rep := identities(t, data, audit.Options{Source: stored(t, "warc", slices.Delete(slices.Clone(list), 1, 2))})
	if i := got[list[0].URL+" page set"]; rep.HasURLS || i.Proof != rule.NotCheckable ||
		!strings.Contains(i.Reason, "no reading") {
		t.Errorf("%+v", i)
	}
}

// TestOnlyImageSetsKnowImages: if no source has an image, the ID of its image set is its MD5. The ID of any other
// content set is not.
func TestOnlyImageSetsKnowImages(t *testing.T) {
	list := captured(t)
	data := webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	without := stored(t, "warc", slices.Delete(slices.Clone(list), 1, 2))
	for s, want := range map[string]rule.Proof{"SIS": rule.Verified, "SPS": rule.NotCheckable, "XXX": rule.NotCheckable} {
		t.Run(s, func(t *testing.T) {
			got, _ := identities(t, bytes.ReplaceAll(data, []byte("/SIS"), []byte("/"+s)), audit.Options{Source: without})
			if i := got[list[0].URL+" page set"]; i.Proof != want {
				t.Errorf("%s: %+v, want %v", s, i, want)
			}
		})
	}
}

// memory is a source with captures.
var memory = sourcetest.Memory

// reply makes a capture of the day of imagePDF.
func reply(url, mediaType, data string) *source.Candidate {
	where := fmt.Sprintf("memory, %x", md5.Sum([]byte(url+" "+data)))
	return &source.Candidate{URL: url, MediaType: mediaType, Where: where, Status: 200,
		Time: time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC), Body: &source.Body{Open: opener(data)}}
}

// opener opens data.
func opener(data string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil }
}

// TestPageSets: a page set is verified by one of the readings, or it is not checkable.
func TestPageSets(t *testing.T) {
	const at, html = "http://h/", "text/html"
	raw := func(s string) string { sum := md5.Sum([]byte(s)); return string(sum[:]) }
	moved := &source.Candidate{URL: at + "page", Redirect: "/new/page"}
	failed := reply(at+"gone.gif", html, "not found")
	failed.Status, failed.Doubt = 404, "the status of the reply is 404, not 200"
	const plain = `<img src="a.gif">`
	coded := string(asGzip([]byte(plain)))
	zipped := reply(at+"page", html, coded)
	zipped.Body.Codings = []string{"gzip"}
	image := reply(at+"a.gif", "image/gif", "A")
	twoImages := memory(reply(at+"page", html, `<img src="a.gif"><img src="gone.gif">`), image, failed)
	const both = `<img src="a.gif"><img src="gone.gif">`
	damagedImage := reply(at+"a.gif", "image/gif", "A")
	damagedImage.Doubt = "a doubt"
	styled := memory(reply(at+"page", html, `<link rel=stylesheet href=s.css>`), reply(at+"s.css", "text/css", "a{}"))
	for _, row := range []struct {
		name   string
		source source.Source
		of     string // what the ID is the MD5 of
		proof  rule.Proof
		say    string
	}{
		{"an image that failed does not count", twoImages, both + raw("A"), rule.Verified,
			"images, raw, without 1 of its files"},
		{"an image of another day", twoImages, both + raw("A") + raw("B"), rule.NotCheckable, "no reading"},
		{"files are relative to the target of a redirect",
			memory(moved, reply(at+"new/page", html, plain), reply(at+"new/a.gif", "image/gif", "A")),
			plain + raw("A"), rule.Verified, "images, raw"},
		{"a decoded page, with its files", memory(zipped, image), plain + raw("A"), rule.Verified, "images, raw"},
		{"a page alone", memory(reply(at+"page", html, plain), image), plain, rule.Verified, "the file itself"},
		{"a page with its style sheet", styled, "<link rel=stylesheet href=s.css>" + raw("a{}"), rule.Verified,
			"everything, raw"},
		{"a page whose image is doubtful", memory(reply(at+"page", html, plain), damagedImage), plain + raw("B"),
			rule.NotCheckable, "no reading"},
		{"a page whose image is doubtful, and right", memory(reply(at+"page", html, plain), damagedImage),
			plain + raw("A"), rule.Verified, "images, raw"},
		{"a text", memory(reply(at+"page", "text/plain", "a text")), "another", rule.NotCheckable, "no reading"},
		{"an image", memory(reply(at+"page", "image/gif", "GIF89a")), "another", rule.NotCheckable, "no reading"},
		{"a page that is too large", memory(reply(at+"page", html, strings.Repeat(" ", page.MaxSource+1))), "x",
			rule.NotCheckable, "no reading"},
	} {
		t.Run(row.name, func(t *testing.T) {
			doc, err := webcapturetest.Parse(fmt.Sprintf(`names: << /URLS << /Names [ (http://h/page) 5 0 R ] >> >>
5 0 obj << /S /SPS /ID <%x> /O [ 6 0 R ] /SI << /AU (http://h/page) >> /TS (D:20260201120000Z) >>
6 0 obj << /Type /Page >>
`, md5.Sum([]byte(row.of))))
			if err != nil {
				t.Fatal(err)
			}
			got, rep := identities(t, doc.Bytes(webcapturetest.Layout{}), audit.Options{Source: row.source})
			i := got["http://h/page page set"]
			if say := i.Reading + i.Reason; i.Proof != row.proof || i.Proof == rule.Verified && say != row.say ||
				!strings.Contains(say, row.say) {
				t.Errorf("%v, %q, want %v, …%q…", i.Proof, say, row.proof, row.say)
			}
			if n := count(rep, "WC512"); n != 0 {
				t.Errorf("%d findings of WC512", n)
			}
		})
	}
}

// TestDoubts: an image is verified by a doubtful capture with its data, and any other data of a doubtful capture never
// prove a mismatch.
func TestDoubts(t *testing.T) {
	good := func() *source.Candidate { return reply(bodyURL, "text/plain", "data") }
	with := func(change func(*source.Candidate)) source.Source {
		c := good()
		change(c)
		return memory(c)
	}
	doubtful := placed("D", good())
	doubtful.Doubt = "a doubt"
	broken := &source.Candidate{URL: bodyURL, Where: "B", Body: &source.Body{
		Open: func() (io.ReadCloser, error) { return nil, errors.New("the disk failed") }}}
	zipped := asGzip([]byte("data"))
	const no = "the source does not give the ID, but "
	const proves = no + "this does not prove a mismatch: "
	for _, row := range []struct {
		name   string
		source source.Source
		lost   bool
		reason string
	}{
		{"certain", memory(good()), false, ""},
		{"two certain captures", memory(reply(bodyURL, "text/plain", "third"), good()), false, ""},
		{"a doubt of the source", with(func(c *source.Candidate) { c.Doubt = "a doubt" }), false, proves + "a doubt"},
		{"a doubtful capture, too", memory(good(), doubtful),
			false,
			proves + "a doubt: D"},
		{"an unusable capture, too", memory(good(), &source.Candidate{URL: bodyURL, Where: "U", Doubt: "a part of a file"}), false,
			proves + "a part of a file: U"},
		{"an unreadable capture, too", memory(good(), broken), false, proves + "the data cannot be read: the disk failed: B"},
		{"a redirect to nowhere, too", memory(good(), &source.Candidate{URL: bodyURL, Where: "R", Redirect: "/new"}), false,
			proves + `it redirects to "http://h/new", which no source has: R`},
		{"a lost source", memory(good()), true, no + "an unreadable part of the sources may have another capture of the URL"},
		{"no date", with(func(c *source.Candidate) { c.Time = time.Time{} }), false,
			proves + "the source has no date, so the capture may be of another day"},
		{"another day", with(func(c *source.Candidate) { c.Time = c.Time.AddDate(0, 0, 2) }), false,
			proves + "the capture is of another day than the content set"},
		{"cut off", with(func(c *source.Candidate) { c.Body.Length, c.Body.HasLength = 5, true }), false,
			proves + "the body is cut off: it is shorter than its header says"},
		{"another digest", with(func(c *source.Candidate) {
			c.Body.Digests = append(c.Body.Digests, "md5:00112233445566778899aabbccddeeff")
		}), false, proves + "the source is damaged: no form of the body matches its digest in the record"},
		{"a coding that is not declared", with(func(c *source.Candidate) { c.Body.Open = opener(string(zipped)) }), false,
			proves + "the header declares the codings \"\", but the data show \"gzip\""},
		{"a coding that is declared", with(func(c *source.Candidate) {
			c.Body.Open, c.Body.Codings = opener(string(zipped)), []string{"gzip"}
		}), false, ""},
		{"a coding once more", with(func(c *source.Candidate) {
			c.Body.Open, c.Body.Codings = opener(string(asGzip(zipped))), []string{"gzip"}
		}), false, proves + "the header declares the codings \"gzip\", but the data show \"gzip, gzip\""},
		{"a coding without the data", with(func(c *source.Candidate) { c.Body.Codings = []string{"gzip"} }), false,
			proves + "the header declares the codings \"gzip\", but the data show \"\""},
	} {
		t.Run(row.name, func(t *testing.T) {
			opt := audit.Options{Source: row.source, SourceLost: row.lost}
			right, _ := identities(t, bodyPDF([]byte("data")), opt)
			if i := right[bodyURL+" image set"]; i.Proof != rule.Verified {
				t.Errorf("the right data: %v: %s", i.Proof, i.Reason)
			}
			other, rep := identities(t, bodyPDF([]byte("other")), opt)
			i := other[bodyURL+" image set"]
			want, findings := rule.NotCheckable, 0
			if row.reason == "" {
				want, findings = rule.Mismatch, 1
			}
			if i.Proof != want || row.reason != "" && i.Reason != row.reason || count(rep, "WC512") != findings {
				t.Errorf("other data: %v: %s\nwant %v: %s", i.Proof, i.Reason, want, row.reason)
			}
		})
	}
}

// TestSetsInTheTreeItself: content sets that are direct objects are checked like all others. The ID of an image set is
// never computed like that of a page.
func TestSetsInTheTreeItself(t *testing.T) {
	const plain = `<img src="a.gif">`
	keeps := memory(reply("http://h/page", "text/html", plain), reply("http://h/a.gif", "image/gif", "A"))
	file := md5.Sum([]byte("A"))
	whole := md5.Sum([]byte(plain + string(file[:])))
	for _, row := range []struct {
		url, s string
		id     [md5.Size]byte
		want   rule.Proof
	}{
		{"http://h/page", "SPS", whole, rule.Verified},
		{"http://h/page", "SIS", whole, rule.NotCheckable},
		{"http://h/a.gif", "SIS", file, rule.Verified},
	} {
		t.Run(row.url, func(t *testing.T) {
			doc, err := webcapturetest.Parse(fmt.Sprintf("names: << /URLS << /Names [ (%s) << /S /%s /ID <%x> /O [ ] /SI << /AU (%[1]s) >> >> ] >> >>\n5 0 obj null\n", row.url, row.s, row.id))
			if err != nil {
				t.Fatal(err)
			}
			rep, err := audit.Bytes(t.Context(), "x.pdf", doc.Bytes(webcapturetest.Layout{}), audit.Options{Source: keeps})
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Identities) != 1 || rep.Identities[0].Proof != row.want || string(rep.Identities[0].URL) != row.url {
				t.Errorf("%s of %s: %+v, want %v", row.s, row.url, rep.Identities, row.want)
			}
		})
	}
}

// TestTextIdentity: the verdict names the reading that gives TID, or no reading if none does.
func TestTextIdentity(t *testing.T) {
	const body = "<html><title>T</title><p>Hello &amp; more</p></html>"
	id := md5.Sum([]byte(body))
	for _, row := range []struct{ mediaType, text, want string }{
		{"text/html", "THello &amp; more", "text and title, as stored"},
		{"text/html", "THello & more", "text and title, decoded"},
		{"text/html", "something else", ""},
		{"text/plain", body, "text and title, as stored"},
		{"application/pdf", body, ""}, // of which the text is unknown
		{"image/gif", body, ""},
	} {
		t.Run(row.mediaType, func(t *testing.T) {
			tid := md5.Sum([]byte(row.text))
			doc, err := webcapturetest.Parse(fmt.Sprintf(`names: << /URLS << /Names [ (http://h/) 5 0 R ] >> >>
5 0 obj << /S /SPS /ID <%x> /TID <%x> /O [ 6 0 R ] /SI << /AU (http://h/) >> >>
6 0 obj << /Type /Page >>
`, id, tid))
			if err != nil {
				t.Fatal(err)
			}
			got, _ := identities(t, doc.Bytes(webcapturetest.Layout{}),
				audit.Options{Source: memory(reply("http://h/", row.mediaType, body))})
			if i := got["http://h/ page set"]; i.Proof != rule.Verified || i.Reading != "the file itself" || i.Text != row.want {
				t.Errorf("text %q: %v, text by %q, want %q", row.text, i.Proof, i.Text, row.want)
			}
		})
	}
}

// TestTextIdentityProvesNothing: a matching TID does not verify the ID.
func TestTextIdentityProvesNothing(t *testing.T) {
	const body = "some text"
	doc, err := webcapturetest.Parse(fmt.Sprintf(`names: << /URLS << /Names [ (http://h/) 5 0 R ] >> >>
5 0 obj << /S /SPS /ID <%x> /TID <%[2]x> /O [ ] /SI << /AU (http://h/) >> >>
`, md5.Sum([]byte("other")), md5.Sum([]byte(body))))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := identities(t, doc.Bytes(webcapturetest.Layout{}),
		audit.Options{Source: memory(reply("http://h/", "text/plain", body))})
	if i := got["http://h/ page set"]; i.Proof != rule.NotCheckable || i.Text == "" {
		t.Errorf("%v, %q, text by %q", i.Proof, i.Reason, i.Text)
	}
}

// TestSharedSource: one source serves many audits at the same time.
func TestSharedSource(t *testing.T) {
	list := captured(t)
	pdf := webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	for _, kind := range sourcetest.Kinds() {
		src := stored(t, kind, list)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				rep, err := audit.Bytes(t.Context(), "x.pdf", pdf, audit.Options{Source: src})
				if err != nil {
					t.Error(err)
					return
				}
				verified := 0
				for _, i := range rep.Identities {
					if i.Proof == rule.Verified {
						verified++
					}
				}
				if verified != len(list) {
					t.Errorf("%s: %d sets verified, want %d", kind, verified, len(list))
				}
			})
		}
		group.Wait()
	}
}

// TestCapture keeps capture.pdf and capture.warc in testdata, which the docs use, up to date: they have the site of
// these tests, of which one page has changed since the capture.
func TestCapture(t *testing.T) {
	list := captured(t)
	pdf := webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	list[3].Body = []byte("<html><body><a href=\"/\">home</a></body></html>")
	var resources []sourcetest.Resource
	for _, r := range list {
		resources = append(resources, sourcetest.Resource{URL: r.URL, MediaType: r.MediaType, Body: r.Body})
	}
	path, err := sourcetest.Write(t.TempDir(), "warc", resources)
	if err != nil {
		t.Fatal(err)
	}
	warc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"capture.pdf": pdf, "capture.warc": warc} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("../../testdata", name)
			if flag.Lookup("update").Value.String() == "true" {
				if err := os.WriteFile(path, want, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what the test makes (%v); -update writes it", path, err)
			}
		})
	}
}

// TestWhereSourcesAreLookedUp: under every URL that a content set names, and under its keys in URLS only if it names
// none.
func TestWhereSourcesAreLookedUp(t *testing.T) {
	const alias = "<< /AU << /U (http://h/a) /C [ [ (http://h/r) (http://h/s) ] ] >> >>"
	for _, row := range []struct {
		name, set  string   // set: entries in addition to S, ID, and O
		kept       []string // URLs for which a source keeps what the set was made of
		url, where string
	}{
		{"destinations come before redirects", "/SI [ " + alias + " << /AU (http://h/b) >> ]", []string{"http://h/r", "http://h/b"}, "http://h/b", "memory"},
		{"a redirect", "/SI " + alias, []string{"http://h/s"}, "http://h/s", "memory"},
		{"a URL that the set does not name", "/SI " + alias, []string{"http://h/k"}, "http://h/a", ""},
		{"the keys of a set that names none", "", []string{"http://h/k"}, "http://h/k", "memory"},
		{"nothing has them", "", []string{"http://h/x"}, "http://h/j", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			doc, err := webcapturetest.Parse(fmt.Sprintf(`names: << /URLS << /Names [ (http://h/j) 5 0 R (http://h/k) 5 0 R (http://h/x) 6 0 R ] >> >>
5 0 obj << /S /SPS /ID <%x> /O [ ] %s >>
6 0 obj << /S /SPS /ID (short) >>
`, md5.Sum([]byte("data")), row.set))
			if err != nil {
				t.Fatal(err)
			}
			var keeps []*source.Candidate
			for _, url := range row.kept {
				keeps = append(keeps, reply(url, "text/plain", "data"))
			}
			got, _ := identities(t, doc.Bytes(webcapturetest.Layout{}), audit.Options{Source: memory(keeps...)})
			if i, ok := got[row.url+" page set"]; !ok || !strings.HasPrefix(i.Where, row.where) ||
				(i.Where == "") != (row.where == "") || (i.Proof == rule.Verified) != (row.where != "") {
				t.Errorf("%+v, want one of %s, found at %q", got, row.url, row.where)
			}
		})
	}
}
