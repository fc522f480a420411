package pdffile

import (
	"context"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestWrittenReadsAsThePreview changes single bytes of a written file. New or Written must reject the changed file,
// unless it has the same objects as the preview.
func TestWrittenReadsAsThePreview(t *testing.T) {
	doc := sample(false)
	stream := object.Ref{Num: uint32(doc.AddStream("<< /Note (of a stream) >>", []byte("data of a stream")))}
	doc.Trailer = "/Private (as spelled)"
	for _, l := range webcapturetest.Sample(5, layouts) {
		f, err := New(context.Background(), doc.Bytes(l.layout), Options{Passwords: []string{l.password}})
		if err != nil || f.Appendable() != nil {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			u := f.NewUpdate()
			change(t, u)
			if f.entries[stream.Num].kind == inFile {
				u.PutDict(stream, []byte("<< /Note (is another) >>"))
			}
			data := ways[0].written(t, u)
			if err := u.Written(opened(t, "as written", data, l.password)); err != nil {
				t.Fatal(err)
			}
			want, refused := everything(u.Preview()), 0
			var places []int
			for at := 0; at < len(data); at++ {
				if at < int(f.Size())-100 {
					at += 197 // a sample of these is enough
				}
				places = append(places, at)
			}
			places = webcapturetest.Sample(3, places)
			for _, at := range places {
				data[at] ^= 4
				g, err := New(context.Background(), data, Options{Passwords: []string{l.password}})
				if err != nil || u.Written(g) != nil {
					refused++
				} else {
					compare(t, "with another byte", everything(g), want)
				}
				data[at] ^= 4
			}
			if refused < len(places)/2 {
				t.Errorf("of %d files with another byte only %d were refused", len(places), refused)
			}
		})
	}
}

// TestWrittenTellsUpdatesApart: Written rejects sound files that are not the result of this update.
func TestWrittenTellsUpdatesApart(t *testing.T) {
	f := opened(t, "file", sample(false).Bytes(webcapturetest.Layout{}), "")
	u := f.NewUpdate()
	u.Put(object.Ref{Num: 7}, []byte("(a)"))
	updated := func(change func(*Update)) []byte {
		other := f.NewUpdate()
		change(other)
		return ways[0].written(t, other)
	}
	twice := opened(t, "written", ways[0].written(t, u), "").NewUpdate()
	twice.Put(object.Ref{Num: 8}, []byte("(b)"))
	for name, c := range map[string]struct {
		data []byte
		want string // the error; empty for none
	}{
		"the update":       {ways[0].written(t, u), ""},
		"another notation": {updated(func(o *Update) { o.Put(object.Ref{Num: 7}, []byte("<61>")) }), ""},
		"another object": {updated(func(o *Update) { o.Put(object.Ref{Num: 7}, []byte("(b)")) }),
			"object 7 0 R differs from the planned object"},
		"another generation": {updated(func(o *Update) { o.Put(object.Ref{Num: 7, Gen: 1}, []byte("(a)")) }),
			"object 7 0 R differs from the planned object"},
		"one more": {updated(func(o *Update) {
			o.Put(object.Ref{Num: 7},
				[]byte("(a)"))
			o.Put(object.Ref{Num: 8}, []byte("(b)"))
		}), "object 8 moved, but is not in the update"},
		"nothing":               {updated(func(*Update) {}), "object 7 of the update is missing"},
		"one more, in its turn": {ways[0].written(t, twice), "object 8 moved, but is not in the update"},
		"written anew":          {ways[1].written(t, u), "it is shorter than the original"},
		"another trailer": {[]byte(strings.Replace(string(ways[0].written(t, u)), "/Root 1 0 R", "/Root 2 0 R",
			2)), "its bytes from"},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := New(context.Background(), c.data, Options{})
			if err != nil {
				t.Fatal(err)
			}
			err = u.Written(g)
			if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
}

// TestWrittenComparesTrailers: entries of the trailer stay, and so does the first half of ID. Entries about the section
// itself, and the second half, may change.
func TestWrittenComparesTrailers(t *testing.T) {
	d := sample(false)
	d.Trailer = "/Private (as it was)"
	f := opened(t, "file", d.Bytes(webcapturetest.Layout{}), "")
	u := f.NewUpdate()
	u.Put(object.Ref{Num: 7}, []byte("(a)"))
	old, data := string(f.data), string(ways[0].written(t, u))
	const private, id = "Private of its trailer differs from the original", "ID of its trailer differs from the original"
	g, err := New(context.Background(), []byte(data), Options{WithoutXRef: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Written(g); err == nil || err.Error() != "its cross-reference data is damaged" {
		t.Errorf("searched: %v", err)
	}
	for name, test := range map[string]struct{ was, now, want string }{
		"as written":                 {"", "", ""},
		"a private entry":            {"(as it was)", "(as it is)", private},
		"a private entry in hex":     {"(as it was)", "<617320697420776173>", ""},
		"without the private entry":  {"/Private ", "/Other ", private},
		"the first half of ID":       {"/ID [<77", "/ID [<78", id},
		"the second half of ID":      {"><", "><00", ""},
		"an ID that is not an array": {"/ID [", "/ID 5/IX [", id},
		"an entry of the section":    {"/Private ", "/DL 1/Private ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			added := strings.Replace(data[len(old):], test.was, test.now, 1)
			g := opened(t, name, []byte(old+added), "")
			if err := u.Written(g); (err == nil) != (test.want == "") || err != nil && err.Error() != test.want {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}
