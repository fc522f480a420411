package restore

import (
	"errors"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// streamAsPZ gives page 10 a stream as PZ.
var streamAsPZ = append(withPZ("60 0 R"), "30 0 obj", "60 0 obj << >>\nstream\nz\nendstream\n30 0 obj")

// TestFailingReads: if any single read of one of the files fails, the restoration fails with its error.
func TestFailingReads(t *testing.T) {
	same := withPZ("[ 2 ]")
	button := []string{"51 0 obj [ 50 0 R ]", "51 0 obj [ 50 0 R << /AP << /N << /On 60 0 R >> >> >> ]",
		"10 0 obj", "60 0 obj << /XObject << /I 12 0 R >> >>\n10 0 obj"}
	for name, c := range map[string]struct {
		theirs, ours []string
		file         string
	}{
		"nothing to restore":   {same, same, capture},
		"an image of a button": {button, button, capture},
		"a stream as zoom":     {streamAsPZ, streamAsPZ, capture},
		"everything":           {same, nil, bare},
		"no title":             {nil, []string{"/T (title) ", ""}, capture},
		"no URL":               {nil, damagedScenes["no URL"].ours, capture},
		"a page missing in O":  {nil, damagedScenes["null in place of a page"].ours, capture},
		"no count":             {nil, damagedScenes["no count"].ours, capture},
		"keys exchanged":       {nil, damagedScenes["keys exchanged"].ours, capture},
		"another ID":           {nil, otherID, capture},
	} {
		t.Run(name, func(t *testing.T) {
			failing := [2]*webcapturetest.FailingReads{webcapturetest.NewFailingReads(), webcapturetest.NewFailingReads()}
			var files [2]*webcapture.File
			for i, f := range []*webcapture.File{parsed(t, capture, c.theirs...), parsed(t, c.file, c.ours...)} {
				var err error
				if files[i], err = webcapture.New(failing[i], spread(t, f), webcapture.Options{}); err != nil {
					t.Fatal(err)
				}
			}
			db, err := files[1].Database()
			if err != nil {
				t.Fatal(err)
			}
			attempt := func(which, fails int) error {
				in := inputs(files[0], files[1], db)
				in.Update.New() // reads all objects, and skips unreadable ones
				for i, d := range failing {
					d.FailAt(0, false)
					if i == which {
						d.FailAt(fails, false)
					}
				}
				_, err := From(in)
				return err
			}
			if err := attempt(0, 0); err != nil {
				t.Fatal(err)
			}
			reads := [2]int{failing[0].Reads(), failing[1].Reads()}
			for which, n := range reads {
				for i := range n {
					if err := attempt(which, i+1); !errors.Is(err, webcapturetest.ErrRead) {
						t.Errorf("file %d, read %d of %d: the error is %v", which, i+1, n, err)
					}
				}
			}
		})
	}
}
