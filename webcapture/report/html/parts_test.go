package html

import (
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// recordWith returns the record of a file with a finding for each level.
func recordWith(levels ...rule.Level) *report.Record {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true}}
	for _, l := range levels {
		rep.Findings = append(rep.Findings, rule.Finding{Rule: &rule.Rule{ID: "WC9" + l.String(), Level: l}})
	}
	return &report.Record{Path: "a.pdf", Report: rep}
}

// partial returns a record whose file was checked in part.
func partial(levels ...rule.Level) *report.Record {
	r := recordWith(levels...)
	r.Report.Unread = []rule.Unread{{Err: errors.New("it is torn")}}
	return r
}

// The verdict counts audited files only, and says what webcap could not check.
func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		want    string
		records []*report.Record
	}{
		{"No errors and no warnings in 1 audited file.", []*report.Record{recordWith(), {Path: "folder",
			Err: report.ErrNoFiles},
			{Path: "empty.zip", Err: report.ErrNoMembers}}},
		{"Files that were checked in part have errors. webcap could check 1 file only in part.",
			[]*report.Record{partial(rule.Error)}},
		{"Errors in 1 of 2 audited files. webcap could check 1 file only in part.", []*report.Record{partial(),
			recordWith(rule.Error)}},
		{"No errors; warnings in 1 of 2 audited files. webcap could not audit 1 file.",
			[]*report.Record{recordWith(rule.Warning),
				recordWith(rule.Note), {Path: "gone.pdf", Err: errors.New("gone")}}},
		{"No file was audited.", []*report.Record{{Path: "folder", Err: report.ErrNoFiles}}},
	} {
		var tally report.Tally
		for _, r := range test.records {
			tally.Add(r)
		}
		if got := verdict(&tally); got != test.want {
			t.Errorf("the verdict is %q, want %q", got, test.want)
		}
	}
}

// Each outcome has a cause with advice. Only files with repairable findings get a command.
func TestCauses(t *testing.T) {
	repairable := &report.Record{Path: "a.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true},
		Findings: rule.Findings{
			rule.Finding{Rule: ruleThat(t, false, rule.Error), Fix: &rule.Fix{Action: rule.RewriteTree}}}}}
	for _, test := range []struct {
		rec    *report.Record
		cause  string
		repair bool
	}{
		{&report.Record{Err: &report.TimeoutError{Reason: "60 s"}}, "Not audited: over the time limit", false},
		{&report.Record{Err: errors.New("encrypted, and no password fits")}, "Not audited: encrypted", false},
		{&report.Record{Err: errors.New("byte 17 of 20")}, "Not audited: byte N of N", false},
		{partial(), "Checked in part, because the file is damaged", false},
		{partial(rule.Error), "Checked in part, because the file is damaged", false},
		{recordWith(), "", false},
		{recordWith(rule.Note), "", false},
		{&report.Record{Err: report.ErrNoFiles}, "", false},
		{recordWith(rule.Warning), "Findings that webcap does not repair", false},
		{repairable, "Findings that webcap can repair", true},
	} {
		var groups report.Groups
		if test.rec.Report != nil {
			groups = report.GroupsOf(test.rec.Report, report.SomeShown)
		}
		cause, advice, repair := causeOf(test.rec, groups)
		if cause != test.cause || repair != test.repair || (advice == "") != (cause == "") {
			t.Errorf("the cause is %q, %q, %v; want %q, %v", cause, advice, repair, test.cause, test.repair)
		}
	}
}

// Causes come by the number of their files. The totals have tiles for identifiers only with sources, and the folder is
// absolute if its parents are known.
func TestPageTotals(t *testing.T) {
	w := newWriter(io.Discard, report.Options{Base: "/base", Folder: "in", Head: report.Head{Directory: "/home/user"}})
	for _, r := range []*report.Record{{Path: "a.pdf", Err: errors.New("gone")}, partial(), partial(),
		recordWith(rule.Warning),
		recordWith(rule.Warning), recordWith(rule.Warning)} {
		if err := w.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	page := w.page(report.Complete)
	var got []int
	for _, next := range page.Next {
		got = append(got, next.Files)
	}
	if !slices.Equal(got, []int{3, 2, 1}) {
		t.Errorf("causes of %v files, want 3, 2, and 1", got)
	}
	if len(page.Tiles) != 3 || page.Proofs != "" {
		t.Errorf("tiles %v and proofs %q, want a tile for each level", page.Tiles, page.Proofs)
	}
	if page.Folder != "/home/user/in" {
		t.Errorf("the folder is %s, want /home/user/in", page.Folder)
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
		if err := w.Add(recordWith(rule.Error)); err != nil {
			t.Fatal(err)
		}
	}
	if page := w.page(report.Complete); page.Undrawn != 2 || len(page.Files) != 3 {
		t.Errorf("%d of %d files have no section, want 2 of 3", page.Undrawn, len(page.Files))
	}
	if err := w.Close(report.Complete); err != nil {
		t.Fatal(err)
	}
}

// A URL of printable ASCII is shown as it is, any other one as a key.
func TestURLText(t *testing.T) {
	for _, url := range []string{"http://a/b?c", "http://a/\u00e9", "http://a/\x1b", "http://a/\xff"} {
		want := nametree.Key(url).String()
		if url == "http://a/b?c" {
			want = url
		}
		if got := urlText(url); got != want {
			t.Errorf("urlText(%q) = %q, want %q", url, got, want)
		}
	}
}
