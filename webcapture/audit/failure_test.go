package audit

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// objectHeader is how an object begins in a file without object streams.
var objectHeader = regexp.MustCompile(`(?m)^\d+ \d+ obj`)

// TestAuditsFailWithTheFile: if an object that the audit needs cannot be read, as on a failing disk, there is no
// report. A report on the rest could call the file clean.
func TestAuditsFailWithTheFile(t *testing.T) {
	failed := 0
	for _, path := range caseFiles(t) {
		c, err := readCase(path)
		if err != nil {
			continue // TestCases reports it
		}
		data := c.pdf(t, plainLayout)
		f := openData(t, data)
		db, err := f.Database()
		if err != nil {
			continue
		}
		want, err := Run(f, Options{Database: db, Source: noSource, now: auditTime})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, at := range objectHeader.FindAllIndex(data, -1) {
			header := data[at[0]:at[1]]
			whole := bytes.Clone(header)
			f := openData(t, data)
			copy(header[len(header)-3:], "???")
			rep, err := Run(f, Options{Database: db, Source: noSource, now: auditTime})
			copy(header, whole)
			switch {
			case webcapture.IsDamage(err):
				failed++
			case err != nil:
				t.Errorf("%s: without %s the error is %v", c.name, whole, err)
			case text(rep) != text(want):
				t.Errorf("%s: without %s the report is\n%s\nshould be\n%s", c.name, whole, text(rep), text(want))
			}
		}
	}
	if failed < 500 {
		t.Errorf("only %d audits failed", failed)
	}
}

func openData(t *testing.T, data []byte) *webcapture.File {
	t.Helper()
	f, err := webcapture.New(context.Background(), data, webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// text returns the findings, the unread parts, and the identities of a report.
func text(r *Report) string {
	var b bytes.Buffer
	for _, f := range r.Findings {
		fmt.Fprintln(&b, f)
	}
	for _, u := range r.Unread {
		fmt.Fprintln(&b, u.Place, u.Ref, u.Err)
	}
	for _, i := range r.Identities {
		fmt.Fprintln(&b, i)
	}
	return b.String()
}

// TestBrokenObjectsAreNotSilent: where an object is not well formed, the report says that
// something could not be read, unless it finds all that it finds in the whole file.
func TestBrokenObjectsAreNotSilent(t *testing.T) {
	named := 0
	for _, path := range caseFiles(t) {
		c, err := readCase(path)
		if err != nil {
			continue // TestCases reports it
		}
		if strings.HasPrefix(c.name, "WC523-dropped-") {
			continue // nothing has to lead to the traces of a database
		}
		data := c.pdf(t, plainLayout)
		var own []*rule.Rule // of the case
		for _, id := range c.rules {
			r, _ := Lookup(id)
			own = append(own, r)
		}
		want, wantOwn := text(auditBytes(t, data, Options{})), text(auditBytes(t, data, Options{Rules: own}))
		for _, at := range objectHeader.FindAllIndex(data, -1) {
			end := at[1] + bytes.Index(data[at[1]:], []byte("endobj"))
			body := data[at[1]+1 : end-1]
			if len(body) < 3 {
				continue
			}
			broken := bytes.Clone(data)
			copy(broken[at[1]+1:end-1], "]"+strings.Repeat(" ", len(body)-1))
			rep, err := Bytes(t.Context(), "case.pdf", broken, Options{now: auditTime})
			if err != nil {
				continue // the catalog is broken
			}
			if len(rep.Unread) > 0 {
				named++
			} else if text(rep) != want {
				t.Errorf("%s: without %s the report is\n%s\nshould be\n%s", c.name, data[at[0]:at[1]], text(rep), want)
			}
			rep = auditBytes(t, broken, Options{Rules: own})
			if len(rep.Unread) == 0 && text(rep) != wantOwn {
				t.Errorf("%s: without %s the report of %v is\n%s\nshould be\n%s", c.name, data[at[0]:at[1]], c.rules,
					text(rep), wantOwn)
			}
		}
	}
	if named < 2000 {
		t.Errorf("only %d reports say so", named)
	}
}

// TestAuditsFailWithTheFileLater: an audit also fails if the disk fails while it runs, unless it has read all that it
// needs.
func TestAuditsFailWithTheFileLater(t *testing.T) {
	hooks := map[string]func(fail func()) *rule.Rule{
		"tree":  func(fail func()) *rule.Rule { return &rule.Rule{CheckTree: func(*rule.Pass, *rule.Tree) { fail() }} },
		"key":   func(fail func()) *rule.Rule { return &rule.Rule{CheckURL: func(*rule.Pass, *rule.Entry) { fail() }} },
		"value": func(fail func()) *rule.Rule { return &rule.Rule{CheckValue: func(*rule.Pass, *rule.Value) { fail() }} },
		"set":   func(fail func()) *rule.Rule { return &rule.Rule{CheckSet: func(*rule.Pass, *rule.Set) { fail() }} },
		"links": func(fail func()) *rule.Rule { return &rule.Rule{CheckLinks: func(*rule.Pass, *rule.Links) { fail() }} },
		"info":  func(fail func()) *rule.Rule { return &rule.Rule{CheckInfo: func(*rule.Pass, *rule.Info) { fail() }} },
		"page": func(fail func()) *rule.Rule {
			return &rule.Rule{CheckPage: func(*rule.Pass, *rule.Page, *rule.Document) { fail() }}
		},
		"image": func(fail func()) *rule.Rule {
			return &rule.Rule{CheckImage: func(*rule.Pass, *rule.Image, *rule.Document) { fail() }}
		},
		"member": func(fail func()) *rule.Rule {
			return &rule.Rule{CheckMember: func(*rule.Pass, *rule.Member, *rule.Document) { fail() }}
		},
		"document": func(fail func()) *rule.Rule {
			return &rule.Rule{CheckDocument: func(*rule.Pass, *rule.Document) { fail() }}
		},
		"identity": func(fail func()) *rule.Rule {
			return &rule.Rule{CheckIdentity: func(*rule.Pass, *rule.Identity) { fail() }}
		},
	}
	failed := map[string]bool{}
	for _, h := range costly {
		whole := h.make(5).Bytes(plainLayout)
		want := text(auditBytes(t, whole, caseOptions))
		for name, hook := range hooks {
			for after := range 4 { // number of calls before the disk fails
				data := bytes.Clone(whole)
				calls := 0
				fail := func() {
					if calls++; calls == after+1 {
						copy(data, objectHeader.ReplaceAllFunc(data, func(header []byte) []byte { return bytes.Repeat([]byte("?"), len(header)) }))
					}
				}
				rep, err := Run(openData(t, data),
					Options{Rules: append([]*rule.Rule{hook(fail)}, Rules()...), Source: noSource, now: auditTime})
				switch {
				case webcapture.IsDamage(err):
					failed[name] = true
				case err != nil:
					t.Errorf("%s: after a %s the error is %v", h.name, name, err)
				case text(rep) != want:
					t.Errorf("%s: after a %s the report is\n%s\nshould be\n%s", h.name, name, text(rep), want)
				}
			}
		}
	}
	if len(failed) < len(hooks) {
		t.Errorf("only after %v audits failed", failed)
	}
}

// TestRulesFailWithTheFile: a rule that reads objects itself does not take for absent what a disk no longer gives.
func TestRulesFailWithTheFile(t *testing.T) {
	const sets = "5 0 obj << /S /SPS /ID " + idA + " /O [ ]" + fromA + " >>\n"
	for name, names := range map[string]string{
		"a set in place of a key":       "5 0 R (http://a.example/)",
		"a set whose key is a number":   "7 5 0 R",
		"a set in an array":             "7 [ 5 0 R ]",
		"a set before its indirect URL": "5 0 R 8 0 R",
		"a set in place of both":        "5 0 R 5 0 R",
	} {
		t.Run(name, func(t *testing.T) {
			d, err := webcapturetest.Parse("names: << /URLS << /Names [ " + names + " ] >> >>\n" + sets +
				"8 0 obj (http://a.example/)\n")
			if err != nil {
				t.Fatal(err)
			}
			data := d.Bytes(plainLayout)
			fail := func(*rule.Pass, *rule.Tree) { copy(data[bytes.Index(data, []byte("5 0 obj")):], "???????") }
			r, _ := Lookup("WC108")
			if _, err := Run(openData(t, data), Options{Rules: []*rule.Rule{{CheckTree: fail}, r}}); !webcapture.IsDamage(err) {
				t.Errorf("the error is %v, want that of the file", err)
			}
		})
	}
}
