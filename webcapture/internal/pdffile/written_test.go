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
		f, err := New(context.Background(), doc.Bytes(l.layout), []string{l.password})
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
				g, err := New(context.Background(), data, []string{l.password})
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
	const planned = "its bytes from"
	for name, c := range map[string]struct {
		data []byte
		want string // the error; empty for none
	}{
		"the update":       {ways[0].written(t, u), ""},
		"another notation": {updated(func(o *Update) { o.Put(object.Ref{Num: 7}, []byte("<61>")) }), planned},
		"another object": {updated(func(o *Update) { o.Put(object.Ref{Num: 7}, []byte("(b)")) }),
			planned},
		"another generation": {updated(func(o *Update) { o.Put(object.Ref{Num: 7, Gen: 1}, []byte("(a)")) }),
			planned},
		"one more": {updated(func(o *Update) {
			o.Put(object.Ref{Num: 7},
				[]byte("(a)"))
			o.Put(object.Ref{Num: 8}, []byte("(b)"))
		}), planned},
		"nothing":               {updated(func(*Update) {}), planned},
		"one more, in its turn": {ways[0].written(t, twice), "it has "},
		"written anew":          {ways[1].written(t, u), planned},
		"another trailer": {[]byte(strings.Replace(string(ways[0].written(t, u)), "/Root 1 0 R", "/Root 2 0 R",
			2)), planned},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := New(context.Background(), c.data, nil)
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

// TestWrittenFindsObjects: Written checks that the cross-reference data of the file leads to the planned objects.
func TestWrittenFindsObjects(t *testing.T) {
	f := opened(t, "file", sample(false).Bytes(webcapturetest.Layout{}), "")
	u := f.NewUpdate()
	u.Put(object.Ref{Num: 7}, []byte("(a)"))
	u.Put(object.Ref{Num: 8}, []byte("(b)"))
	for want, change := range map[string]func(entries []entry){
		"":                      func([]entry) {},
		"object 7 is not where": func(e []entry) { e[7].gen = 1 },
		"object 8 is not where": func(e []entry) { e[8].kind = free },
		"object 5 is not where": func(e []entry) { e[5].kind = free },
	} {
		g := opened(t, "written", ways[0].written(t, u), "")
		change(g.entries)
		if err := u.Written(g); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	g, err := newFile(context.Background(), ways[0].written(t, u), true)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Written(g); err == nil || err.Error() != "its cross-reference data is damaged" {
		t.Errorf("searched: %v", err)
	}
}
