package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Which paths are absolute depends on their system.
func TestSeenFromDirectory(t *testing.T) {
	for _, tt := range []struct{ path, base, directory, want string }{
		{"a.pdf", "/srv", "sub", "sub/a.pdf"},
		{"/srv/a.pdf", "/srv", "sub", "a.pdf"},
		{"a.pdf", "/srv", "/other", "/other/a.pdf"},
		{"c:/a.pdf", "/srv", "sub", "sub/c:/a.pdf"},
		{`\\host\a.pdf`, "/srv", "sub", `sub/\\host\a.pdf`},
		{`c:\site\a.pdf`, `C:\site`, "sub", "a.pdf"},
		{`a.pdf`, `C:\site`, "sub", "sub/a.pdf"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			if got := FingerprintPath(tt.path, tt.base, tt.directory); got != tt.want {
				t.Errorf("Seen(%q, %q, %q) = %q, want %q", tt.path, tt.base, tt.directory, got, tt.want)
			}
		})
	}
}

// A file has the same fingerprints for all spellings of its path, and other files have different ones.
func TestFingerprintsOfSpellings(t *testing.T) {
	of := func(path, base string) []string {
		r := manyFindings(3)[0]
		r.Path = path
		return Fingerprints(r, FingerprintPath(r.Path, base, ""))
	}
	want := of("a/b.pdf", "/srv/site")
	for _, path := range []string{"./a/b.pdf", "/srv/site/a/b.pdf", "a/../a/b.pdf", "../site/a/b.pdf"} {
		t.Run(path, func(t *testing.T) {
			if got := of(path, "/srv/site"); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", path, got, want)
			}
		})
	}
	for _, path := range []string{`a\b.pdf`, `C:\SITE\a\b.pdf`} {
		t.Run(path, func(t *testing.T) {
			if got := of(path, `C:\site`); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", path, got, want)
			}
		})
	}
	if got := of("a/c.pdf", "/srv/site"); slices.Equal(got, want) {
		t.Error("another file has the same fingerprints")
	}
}

// Each part of a fingerprint distinguishes findings, and nothing else does.
func TestFingerprintParts(t *testing.T) {
	base := rule.Finding{
		Rule: &rule.Rule{ID: "WC101"}, Message: "object 4 0 R",
		Place: rule.Place{Tree: "URLS", Key: "k", ID: "i", Node: &rule.NodePlace{Index: 1}},
	}
	of := func(change func(*rule.Finding)) string {
		f := base
		change(&f)
		return Fingerprints(&Record{Path: "a.pdf", Report: &audit.Report{Findings: rule.Findings{f}}}, "/a.pdf")[0]
	}
	same := of(func(*rule.Finding) {})
	for name, change := range map[string]func(*rule.Finding){
		"message": func(f *rule.Finding) { f.Message = "object 5 0 R" },
		"node":    func(f *rule.Finding) { f.Place.Node = &rule.NodePlace{Index: 2} },
		"set":     func(f *rule.Finding) { f.Place.Set.Num = 7 },
		"object":  func(f *rule.Finding) { f.Place.Object.Num = 7 },
		"level":   func(f *rule.Finding) { f.Rule = &rule.Rule{ID: "WC101", Level: rule.Error} },
	} {
		t.Run(name, func(t *testing.T) {
			if of(change) != same {
				t.Errorf("another %s gives another fingerprint", name)
			}
		})
	}
	seen := map[string]string{same: "nothing"}
	for name, change := range map[string]func(*rule.Finding){
		"rule":              func(f *rule.Finding) { f.Rule = &rule.Rule{ID: "WC102"} },
		"tree":              func(f *rule.Finding) { f.Place.Tree = "IDS" },
		"key":               func(f *rule.Finding) { f.Place.Key = "l" },
		"identifier":        func(f *rule.Finding) { f.Place.ID = "j" },
		"part":              func(f *rule.Finding) { f.Place.Part = "SpiderInfo" },
		"page":              func(f *rule.Finding) { f.Place.Page = 1 },
		"key as ID":         func(f *rule.Finding) { f.Place.Key, f.Place.ID = "", "ki" },
		"ID as key":         func(f *rule.Finding) { f.Place.Key, f.Place.ID = "ki", "" },
		"key with a length": func(f *rule.Finding) { f.Place.Key, f.Place.ID = "k\x01i", "" },
	} {
		t.Run(name, func(t *testing.T) {
			got := of(change)
			if other, ok := seen[got]; ok {
				t.Errorf("another %s gives the same fingerprint as another %s", name, other)
			}
			seen[got] = name
		})
	}
}

// Otherwise equal findings get different fingerprints, and keep them when earlier ones become ignored.
func TestFingerprintsDiffer(t *testing.T) {
	r := manyFindings(50)[0]
	names := Fingerprints(r, FingerprintPath(r.Path, "", ""))
	if distinct := slices.Compact(slices.Sorted(slices.Values(names))); len(distinct) != 50 {
		t.Fatalf("%d names for 50 findings", len(distinct))
	}
	r.Report.Findings.DeleteFunc(func(i int, f rule.Finding) bool {
		if names[i] == "" || strings.ToLower(names[i]) != names[i] {
			t.Errorf("name %q", names[i])
		}
		if i < 20 {
			r.Ignored = append(r.Ignored, Ignored{f, "known"})
		}
		return i < 20
	})
	if got := Fingerprints(r, FingerprintPath(r.Path, "", "")); !slices.Equal(got, names[20:]) {
		t.Errorf("with 20 of them ignored the others are called\n%q, not\n%q", got, names[20:])
	}
}

// The same database twice, with different object numbers in a different order.
const (
	asWritten = `names: << /URLS 2 0 R /IDS 3 0 R >>
spiderinfo: << /V 1.25 >>
2 0 obj << /Names [ (HTTP://a.example/) 5 0 R (http://b.example) 6 0 R (http://b.example) 6 0 R ] >>
3 0 obj << /Kids [ 4 0 R ] >>
4 0 obj << /Limits [ <00> <01> ] /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >>
5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 7 0 R 9 0 R ] /SI << /AU (http://a.example/) >> >>
6 0 obj << /S /SPS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 8 0 R 9 0 R ] /SI [ << /AU (http://c.example/) >> << /AU (http://d.example/) >> ] >>
7 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>
8 0 obj << /Type /Page >>
9 0 obj null
`
	renumbered = `names: << /URLS 32 0 R /IDS 33 0 R >>
spiderinfo: << /V 1.25 >>
39 0 obj null
32 0 obj << /Names [ (HTTP://a.example/) 15 0 R (http://b.example) 13 0 R (http://b.example) 13 0 R ] >>
33 0 obj << /Kids [ 34 0 R ] >>
34 0 obj << /Limits [ <00> <01> ] /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 15 0 R ] >>
13 0 obj << /S /SPS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 18 0 R 39 0 R ] /SI [ << /AU (http://c.example/) >> << /AU (http://d.example/) >> ] >>
15 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 17 0 R 39 0 R ] /SI << /AU (http://a.example/) >> >>
17 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>
18 0 obj << /Type /Page >>
`
)

// A tool that rewrites a file changes numbers and order of objects. The findings keep their fingerprints, also
// after a round trip through results.
func TestFingerprintsSurviveRewriting(t *testing.T) {
	of := func(text string, l webcapturetest.Layout) []string {
		doc, err := webcapturetest.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := audit.Bytes(t.Context(), "a.pdf", doc.Bytes(l), audit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rec, again := &Record{Path: "a.pdf", Report: rep}, &Record{Path: "a.pdf", Report: new(audit.Report)}
		for _, f := range rep.Findings {
			again.Report.Findings = append(again.Report.Findings, throughJSON(t, &f))
		}
		names := Fingerprints(rec, FingerprintPath(rec.Path, "", ""))
		if got := Fingerprints(again, FingerprintPath(again.Path, "", "")); !slices.Equal(got, names) {
			t.Errorf("read from results the fingerprints are\n%q, not\n%q", got, names)
		}
		slices.Sort(names)
		return names
	}
	want := of(asWritten, webcapturetest.Layout{})
	if len(want) < 8 {
		t.Fatalf("only %d findings", len(want))
	}
	for name, l := range map[string]webcapturetest.Layout{
		"table":          {},
		"object streams": {XRef: webcapturetest.Stream, ObjectStreams: 3},
		"encrypted":      {Encryption: &webcapturetest.Encryption{Revision: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{asWritten, renumbered} {
				if got := of(text, l); !slices.Equal(got, want) {
					t.Errorf("%s: fingerprints\n%q, want\n%q", name, got, want)
				}
			}
		})
	}
}

// throughJSON returns a finding after a round trip through JSON.
func throughJSON(t *testing.T, f *rule.Finding) rule.Finding {
	t.Helper()
	b, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var read rule.Finding
	if err := json.Unmarshal(b, &read); err != nil {
		t.Fatal(err)
	}
	if read.Place.Key != f.Place.Key || read.Place.ID != f.Place.ID {
		t.Errorf("%v: key %v and ID %v are read as %v and %v", f, f.Place.Key, f.Place.ID, read.Place.Key, read.Place.ID)
	}
	return read
}
