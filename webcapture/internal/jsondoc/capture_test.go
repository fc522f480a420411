package jsondoc

import (
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/catalog"
)

// encoded returns the JSON of v, as a Document writes it.
func encoded(v any) string {
	d := New(nil)
	d.Value(v)
	return string(d.Bytes())
}

var (
	may1   = time.Date(2001, 5, 1, 12, 0, 0, 0, time.UTC)
	valid  = catalog.Date{Stored: "D:20010501120000Z", Time: may1}
	faulty = catalog.Date{Stored: "May\xff", Fault: "not \xff"}
)

// A capture without any data has only the members that docs/schema requires. Its lists are empty, not null.
func TestCaptureWithoutData(t *testing.T) {
	got := encoded(CaptureOf(&catalog.Capture{Kind: catalog.Other}))
	want := `{"object":null,"kind":"other","pages":[],"members":[],"sources":[],` +
		`"submittedData":false}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Each property of a capture is a member of the JSON. Bytes that are not UTF-8 become escapes.
func TestCaptureWithAllData(t *testing.T) {
	id := digest.ID{0: 0xab, 15: 1}
	got := encoded(CaptureOf(&catalog.Capture{
		Object: object.Ref{Num: 7, Gen: 1}, Kind: catalog.Image,
		URL: "http://a/\xff", Canonical: "http://a/%FF\xfe", ID: "\x01\xfe", Title: "Zürich", ContentType: "a/b\xfd",
		TS: valid, Sources: []catalog.Source{{Submitted: "GET"}}, Members: []object.Ref{{Num: 8}, {Num: 9}},
		Pages: []catalog.PageRange{{First: 1, Last: 1}, {First: 3, Last: 5}},
		Images: []catalog.ImageMember{
			{Object: object.Ref{Num: 8}, Width: 2, Height: 3, MD5: id, Proven: true},
			{Object: object.Ref{Num: 9}},
		},
	}))
	want := `{"object":{"num":7,"gen":1},"kind":"image","url":"http://a/\\xff",` +
		`"canonicalUrl":"http://a/%FF\\xfe","captured":"2001-05-01T12:00:00Z",` +
		`"ts":{"stored":"D:20010501120000Z","time":"2001-05-01T12:00:00Z"},"title":"Zürich","contentType":"a/b\\xfd",` +
		`"id":"01fe","pages":[{"first":1,"last":1},{"first":3,"last":5}],` +
		`"members":[{"num":8,"gen":0},{"num":9,"gen":0}],"sources":[{"submitted":"GET"}],"submittedData":true,` +
		`"images":[{"object":{"num":8,"gen":0},"width":2,"height":3,"md5":"ab000000000000000000000000000001"},` +
		`{"object":{"num":9,"gen":0},"width":0,"height":0}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSourceOfCapture(t *testing.T) {
	for _, tt := range []struct {
		name   string
		source catalog.Source
		want   string
	}{
		{"empty", catalog.Source{}, `{}`},
		{"URL", catalog.Source{URL: "http://a/\xff"}, `{"url":"http://a/\\xff"}`},
		{"form data", catalog.Source{Submitted: "POST"}, `{"submitted":"POST"}`},
		{"dates", catalog.Source{TS: valid, E: faulty}, `{"ts":{"stored":"D:20010501120000Z",` +
			`"time":"2001-05-01T12:00:00Z"},"expires":{"stored":"May\\xff","fault":"not \\xff"}}`},
		{"chains", catalog.Source{Redirects: [][]string{{"a", "b\xff"}, {}, {"c"}}},
			`{"redirects":[["a","b\\xff"],[],["c"]]}`},
		{"empty command", catalog.Source{Command: &catalog.Command{}},
			`{"command":{"levels":0,"sameSite":false,"samePath":false,"submit":false,"postData":false}}`},
		{"site", catalog.Source{Command: &catalog.Command{URL: "a\xff", Levels: 2, SameSite: true, Submit: true}},
			`{"command":{"url":"a\\xff","levels":2,"sameSite":true,"samePath":false,"submit":true,"postData":false}}`},
		{"path", catalog.Source{Command: &catalog.Command{SamePath: true, PostData: true}},
			`{"command":{"levels":0,"sameSite":false,"samePath":true,"submit":false,"postData":true}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := encoded(captureSourceOf(&tt.source)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A capture has a date only if one of its dates is valid. An invalid date is shown with its fault, without a time.
func TestDatesOfCapture(t *testing.T) {
	const head = `{"object":null,"kind":"page",`
	const tail = `"pages":[],"members":[],"sources":[],"submittedData":false}`
	for _, tt := range []struct {
		name string
		ts   catalog.Date
		want string
	}{
		{"none", catalog.Date{}, ``},
		{"valid", valid, `"captured":"2001-05-01T12:00:00Z",` +
			`"ts":{"stored":"D:20010501120000Z","time":"2001-05-01T12:00:00Z"},`},
		{"faulty", faulty, `"ts":{"stored":"May\\xff","fault":"not \\xff"},`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := encoded(CaptureOf(&catalog.Capture{Kind: catalog.Page, TS: tt.ts}))
			if want := head + tt.want + tail; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
