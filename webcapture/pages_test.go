package webcapture_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestPages: what a page tree holds, in page order, and where its walk ends.
func TestPages(t *testing.T) {
	const leaves = "3 0 obj << /Type /Page >>\n4 0 obj << /Type /Page >>\n"
	for _, c := range []struct{ name, text, want string }{
		{"in order", "2 0 obj << /Kids [ 3 0 R 4 0 R ] >>", "1: 3 0 R, 2: 4 0 R"},
		{"a page again", "2 0 obj << /Kids [ 3 0 R 4 0 R 3 0 R 4 0 R ] >>",
			"1: 3 0 R, 2: 4 0 R, 3: 3 0 R again, 4: 4 0 R again"},
		{"one that cannot be read counts", "2 0 obj << /Kids [ 5 0 R 4 0 R ] >>\n5 0 obj << /Type ) >>",
			"1: 5 0 R unreadable, 2: 4 0 R"},
		{"a node again", "2 0 obj << /Kids [ 5 0 R 5 0 R 4 0 R ] >>\n5 0 obj << /Kids [ 3 0 R ] >>",
			"1: 3 0 R, no tree"},
		{"a circle", "2 0 obj << /Kids [ 3 0 R 2 0 R 4 0 R ] >>", "1: 3 0 R, no tree"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := open(t, "catalog: << /Type /Catalog /Pages 2 0 R >>\n"+leaves+c.text, webcapturetest.Layout{})
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for pg, err := range f.NewReader().Pages(db) {
				if got != "" {
					got += ", "
				}
				if errors.Is(err, webcapture.ErrPageTree) {
					got += "no tree"
					continue
				}
				got += fmt.Sprintf("%d: %v", pg.Index+1, pg.Ref)
				if err != nil {
					got += " unreadable"
				} else if pg.Again {
					got += " again"
				}
			}
			if got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		})
	}
}
