package report

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// The command that repairs a file in an audited folder writes outside of the folder, because the next audit would
// otherwise include both files.
func TestRepairedPath(t *testing.T) {
	for _, tt := range []struct{ path, folder, want string }{
		{"a.pdf", "", "a.repaired.pdf"},
		{"a", "", "a.repaired"},
		{"in/a.pdf", "in/", "repaired/a.pdf"},
		{"in/b/a.pdf", "./in/", "repaired/b/a.pdf"},
		{`in\a.pdf`, `in\`, `repaired/a.pdf`},
		{"other/a.pdf", "in/", "other/a.repaired.pdf"},
		{"a.pdf", "./", "../repaired/a.pdf"},
		{"../a.pdf", "../", "../../repaired/a.pdf"},
		{"../in/a.pdf", "../in/", "repaired/a.pdf"},
		{"/in/a.pdf", "/in/", "repaired/a.pdf"},
		{"repaired/a.pdf", "repaired/", "repaired.repaired/a.pdf"},
		{"in/a.zip!b/c.pdf", "in/", "repaired/a.zip.b-c.pdf"},
		{`a.zip!b\c!d.pdf`, "", "a.zip.b-c-d.repaired.pdf"},
		{"a.warc!http://h/in/a.pdf", "", "h-in-a.repaired.pdf"},
	} {
		t.Run(tt.path+" in "+tt.folder, func(t *testing.T) {
			if strings.HasPrefix(tt.path, "/") && !filepath.IsAbs(tt.path) {
				return // on Windows, this path is relative to a drive
			}
			if got := repairedPath(tt.path, tt.folder); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// One command names the inputs of the run, or else the common folder of all files. It does not name files that have to
// be repaired one by one.
func TestRepairFolder(t *testing.T) {
	for _, tt := range []struct{ paths, folder, want string }{
		{"", "", ""},
		{"-", "", ""},
		{"a.zip!b.pdf http://a/b.pdf a\x1b.pdf", "", ""},
		{"in/a.pdf", "", "webcap rewrite in/a.pdf -o in/a.repaired.pdf"},
		{"in/a.pdf - in/b.zip!c.pdf", "in/", "webcap rewrite in/a.pdf -o repaired/a.pdf"},
		{"a.pdf b.pdf", "", "webcap rewrite a.pdf b.pdf -o repaired/"},
		{"/in/1 /in/2 /on/3", "", "webcap rewrite /in/1 /in/2 /on/3 -o repaired/"},
		{"a/1 a/2 b/1", "", "webcap rewrite ./ -o ../repaired/"},
		{"1 2 3 4 5 6", "", "webcap rewrite ./ -o ../repaired/"},
		{"a.pdf b.pdf", "./", "webcap rewrite ./ -o ../repaired/"},
		{"in/a/1 in/c/2 in/3 in/4 in/5 in/6", "", "webcap rewrite in/ -o repaired/"},
		{"in/a/1 in/ab/2 in/ab/1", "", "webcap rewrite in/ -o repaired/"},
		{"in/a/b.pdf in/a/d.pdf", "in/", "webcap rewrite in/ -o repaired/"},
	} {
		t.Run(tt.paths, func(t *testing.T) {
			var f repairFolder
			for _, path := range strings.Fields(tt.paths) {
				f.Add(path, nil)
			}
			if got := f.Command(&Options{Folder: tt.folder}); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	var f repairFolder
	for i := range 8 {
		f.Add(fmt.Sprintf("in/%d.pdf", i), &audit.Report{Facts: webcapture.Facts{Encrypted: i == 7}})
	}
	want := "webcap rewrite --password-file pass --files-from list -o repaired/"
	if got := f.Command(&Options{Inputs: []string{"--files-from", "list"}, PasswordFile: "pass"}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// RewriteCommand names the files, or placeholders if a name cannot be in a command line.
func TestRewriteCommand(t *testing.T) {
	for _, tt := range []struct{ path, original, want string }{
		{"a.pdf", "", "webcap rewrite a.pdf -o a.repaired.pdf"},
		{"a.pdf", "b.pdf", "webcap rewrite --from b.pdf a.pdf -o a.repaired.pdf"},
		{"-", "", "webcap rewrite FILE -o REPAIRED"},
		{"a.pdf", "-", "webcap rewrite --from ORIGINAL FILE -o REPAIRED"},
		{"a.pdf", "b\n", "webcap rewrite --from ORIGINAL FILE -o REPAIRED"},
		{"a\n", "b.pdf", "webcap rewrite --from ORIGINAL FILE -o REPAIRED"},
	} {
		t.Run(tt.path+tt.original, func(t *testing.T) {
			if got := RewriteCommand(tt.path, tt.original, ""); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// The number of findings is compared with the number of keys only if each finding is about another key of the same
// tree.
func TestHeadlineCountsKeys(t *testing.T) {
	key := func(tree string, ref uint32, index int) rule.Place {
		return rule.Place{Tree: tree, Node: &rule.NodePlace{Ref: object.Ref{Num: ref}, Index: index}}
	}
	kid := key("IDS", 0, 1)
	kid.Node.Kid = true
	for _, tt := range []struct {
		name    string
		omitted int
		places  []rule.Place
		want    string
	}{
		{"one key", 0, []rule.Place{key("IDS", 0, 0)}, ""},
		{"two keys of a tree", 0, []rule.Place{key("IDS", 0, 0), key("IDS", 0, 1)}, ": 2 of 9"},
		{"more keys than examples", 3, []rule.Place{key("IDS", 0, 0), key("IDS", 0, 1)}, ": 5 of 9"},
		{"as many findings as keys", 7, []rule.Place{key("IDS", 0, 0), key("IDS", 0, 1)}, ": 9 of 9"},
		{"more findings than keys", 8, []rule.Place{key("IDS", 0, 0), key("IDS", 0, 1)}, ": 10 times"},
		{"one key twice", 0, []rule.Place{key("IDS", 0, 1), key("IDS", 0, 1)}, ": 2 times"},
		{"the same index in two nodes", 0, []rule.Place{key("IDS", 4, 1), key("IDS", 5, 1)}, ": 2 of 9"},
		{"two trees", 0, []rule.Place{key("IDS", 0, 0), key("URLS", 0, 1)}, ": 2 times"},
		{"a kid", 0, []rule.Place{key("IDS", 0, 0), kid}, ": 2 times"},
		{"a node", 0, []rule.Place{key("IDS", 0, 0), key("IDS", 0, -1)}, ": 2 times"},
		{"no node", 0, []rule.Place{key("IDS", 0, 0), {Tree: "IDS"}}, ": 2 times"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			one := &rule.Rule{ID: "WC999", Problem: "A problem"}
			rep := &audit.Report{Facts: webcapture.Facts{IDS: 9, URLS: 8},
				Omitted: []rule.Omitted{{Rule: one, Count: tt.omitted}}}
			for _, at := range tt.places {
				rep.Findings = append(rep.Findings, rule.Finding{Rule: one, Place: at})
			}
			if got := GroupsOf(rep, 9)[0].headline(rep); got != "A problem"+tt.want {
				t.Errorf("%q, want %q at its end", got, tt.want)
			}
		})
	}
}

// The verdict and the cause of damage count omitted findings, and need a rule with a cause and a repair of keys.
func TestVerdictNeedsACause(t *testing.T) {
	caused, plain := &rule.Rule{ID: "WC998", Problem: "P", Cause: "typical of x"}, &rule.Rule{ID: "WC999", Problem: "P"}
	rekey, other := &rule.Fix{Action: rule.ChangeKey}, &rule.Fix{Action: rule.RewriteTree}
	const begin = "A tool that rewrote this file damaged "
	const end = " of IDS, which lead viewers from a page or image to its capture."
	for _, tt := range []struct {
		name    string
		rule    *rule.Rule
		fix     *rule.Fix
		omitted int
		verdict string
	}{
		{"some keys", caused, rekey, 3, begin + "4 of 9 keys" + end},
		{"all keys", caused, rekey, 8, begin + "all 9 keys" + end},
		{"more findings than keys", caused, rekey, 9, ""},
		{"another repair", caused, other, 3, ""},
		{"no repair", caused, nil, 3, ""},
		{"no cause", plain, rekey, 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rep := &audit.Report{Facts: webcapture.Facts{IDS: 9}, Omitted: []rule.Omitted{{Rule: tt.rule, Count: tt.omitted}}}
			rep.Findings = append(rep.Findings, rule.Finding{Rule: tt.rule, Fix: tt.fix,
				Place: rule.Place{Tree: "IDS", Node: &rule.NodePlace{Index: 0}}})
			groups := GroupsOf(rep, SomeShown)
			if verdict := groups.Verdict(rep); verdict != tt.verdict {
				t.Errorf("%q, want %q", verdict, tt.verdict)
			}
		})
	}
}

// The number of findings without an example includes those that the audit omitted.
func TestMoreFindings(t *testing.T) {
	for _, tt := range []struct {
		found, omitted, examples int
		want                     string
	}{
		{2, 0, 2, ""},
		{5, 0, 2, "… and 3 more; -v lists more, --format json all"},
		{25, 0, maxShown, "… and 5 more; --format json lists all"},
		{5, 4, 2, "… and 7 more; --format json lists the first 5"},
	} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			g := Group{Count: tt.found + tt.omitted, listed: tt.found, Examples: make([]rule.Finding, tt.examples)}
			if got := g.more(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// outcomesOf returns records of n files for each outcome, in the order of the outcomes' names in the text of a tally,
// and n folders and archives without files.
func outcomesOf(n int) (list []*Record) {
	present := webcapture.Facts{Present: true}
	for level := rule.Note; level <= rule.Error; level++ {
		one := &rule.Rule{ID: "WC99" + fmt.Sprint(int(level)), Level: level}
		list = append(list, &Record{Path: "a", Report: &audit.Report{Facts: present,
			Findings: rule.Findings{rule.Finding{Rule: one}}}})
	}
	list = append(list, &Record{Path: "a", Report: &audit.Report{Facts: present}},
		&Record{Path: "a", Report: &audit.Report{}},
		&Record{Path: "a", Report: &audit.Report{Facts: present, Unread: []rule.Unread{{Err: io.EOF}}}})
	for _, err := range []error{io.EOF, TimeLimit(1), &SkippedError{"s"}, ErrNoFiles, ErrNoMembers} {
		list = append(list, &Record{Path: "a", Err: err})
	}
	return slices.Repeat(list, n)
}

// The text of a tally has each verdict, and counts folders and archives apart from files. An input with only notes is
// clean, on its own line, too.
func TestTallyOfAllOutcomes(t *testing.T) {
	for n, want := range map[int]string{
		0: "no file was audited",
		1: "9 files: 1 with errors, 1 with warnings, 1 checked in part, 3 not audited, 2 clean, 1 without a content " +
			"database, 2 folders or archives without PDF files",
	} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var tally Tally
			for _, rec := range outcomesOf(n) {
				tally.Add(rec)
				clean := strings.HasPrefix(rec.Result(), "no URLS, no IDS, only traces of a database: clean")
				if clean != (rec.Verdict() == IsClean) {
					t.Errorf("%v: %q", rec.Verdict(), rec.Result())
				}
			}
			if got := tally.InputsText(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// Texts list inputs with problems, or all inputs on request, and count the others. A single input is always listed in
// a table.
func TestListsProblems(t *testing.T) {
	const name = "a%d.pdf"
	for _, tt := range []struct {
		name     string
		o        Options
		listed   int // of one input with each outcome
		unlisted string
	}{
		{"problems", Options{}, 6, "-v lists all files and notes."},
		{"and notes", Options{FailOn: rule.Note}, 7, "-v lists all files."},
		{"all", Options{Verbose: true}, 11, ""},
	} {
		for _, format := range []string{"table", "markdown"} {
			t.Run(tt.name+" "+format, func(t *testing.T) {
				records := outcomesOf(1)
				for i, rec := range records {
					rec.Path = fmt.Sprintf(name, i)
				}
				out, listed := resultsIn(t, format, tt.o, Complete, records...), 0
				for _, rec := range records {
					if strings.Contains(out, rec.Path) {
						listed++
					}
				}
				if listed != tt.listed || !strings.Contains(out, tt.unlisted) || strings.Contains(out,
					"-v lists all") != (tt.unlisted != "") {
					t.Errorf("%d inputs are listed, want %d, and %q\n%s", listed, tt.listed, tt.unlisted, out)
				}
				if first := strings.Index(out, "9 files: "); first < 0 || first > strings.Index(out, ".pdf") {
					t.Errorf("totals are not first:\n%s", out)
				}
			})
		}
	}
	clean := &Record{Path: "a.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
	if out := resultsIn(t, "table", Options{}, Complete, clean); !strings.HasPrefix(out, "a.pdf: ") {
		t.Errorf("a single input: %q", out)
	}
}

// The text about an identity has its place, URL, source, evidence, and text identifier.
func TestIdentityText(t *testing.T) {
	set := rule.Place{Set: object.Ref{Num: 5}}
	for _, tt := range []struct {
		id   rule.Identity
		want string
	}{
		{rule.Identity{Place: set, Subtype: webcapture.PageSet, Proof: rule.NotCheckable, Reason: "no source has it"},
			"page set 5 0 R: no source has it"},
		{rule.Identity{Place: rule.Place{Part: "SpiderInfo"}, Proof: rule.NotCheckable, Reason: "r"}, "SpiderInfo: r"},
		{rule.Identity{Place: set, Subtype: webcapture.ImageSet, URL: "http://a/", Proof: rule.Verified, Where: "w",
			Reading: "the file itself", Reason: "not shown", Text: "as UTF-8"},
			"image set 5 0 R (http://a/): w, the file itself; text identifier: as UTF-8"},
		{rule.Identity{Place: set, Subtype: webcapture.PageSet, Proof: rule.Mismatch, Where: "w", Reading: "not shown",
			Reason: "r", ID: "\x01", Capture: rule.Capture{Status: 404, MD5: [16]byte{2}, Tried: 2}},
			"page set 5 0 R: w: r; capture with status 404, 2 captures tried, expected <01>, MD5 of the file " +
				"<02000000000000000000000000000000>"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if got := identityText(&tt.id); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
