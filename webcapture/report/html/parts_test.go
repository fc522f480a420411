package html

import (
	"io"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// The folder is absolute if its parents are known.
func TestFolder(t *testing.T) {
	w := newWriter(io.Discard, report.Options{Base: "/base", Folder: "in", Head: report.Head{Directory: "/home/user"}})
	if w.folder() != "/home/user/in" {
		t.Errorf("the folder is %s, want /home/user/in", w.folder())
	}
	w.opt.Folder, w.opt.Directory = "/audited", "work"
	if w.folder() != "/audited" {
		t.Errorf("the folder is %s, want /audited", w.folder())
	}
}

// When the sections are too long, further files have none, and the page says how many.
func TestSectionsAreLimited(t *testing.T) {
	w := newWriter(io.Discard, report.Options{})
	if _, err := w.sections.Write(make([]byte, maxMarkup-1)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := w.Add(manyFindings(1)[0]); err != nil {
			t.Fatal(err)
		}
	}
	if w.withoutSection != 2 || len(w.files) != 3 {
		t.Errorf("%d of %d files have no section, want 2 of 3", w.withoutSection, len(w.files))
	}
	if err := w.Close(report.Complete); err != nil {
		t.Fatal(err)
	}
}
