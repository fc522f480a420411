package audit

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// objectHeader is how an object begins in a file without object streams.
var objectHeader = regexp.MustCompile(`(?m)^\d+ \d+ obj`)

// TestAuditsFailWithTheFile: when an object cannot be read, as on a disk that fails,
// there is no report. One that goes by what could be read would call the rest clean.
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
		want, err := Run(f, Options{Database: db, Embedded: true, now: auditTime})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, at := range objectHeader.FindAllIndex(data, -1) {
			header := data[at[0]:at[1]]
			whole := bytes.Clone(header)
			f := openData(t, data)
			copy(header[len(header)-3:], "???")
			rep, err := Run(f, Options{Database: db, Embedded: true, now: auditTime})
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

// TestOutlinesFailWithTheFile is TestAuditsFailWithTheFile for what an outline alone looks at.
func TestOutlinesFailWithTheFile(t *testing.T) {
	const doc = "names: << /URLS << /Names [ (http://a.example/) 5 0 R (http://b.example/) 7 0 R ] >> >>\n" +
		"5 0 obj << /S /SPS /ID " + idA + " /O [ 6 0 R ] >>\n6 0 obj << /Type /Page >>\n" +
		"7 0 obj << /S /SIS /ID " + idB + " /O [ 8 0 R ] >>\n8 0 obj << /Subtype /Image >> stream\nx\nendstream\n9 0 obj << /A 1 >>\n"
	d, err := webcapturetest.Parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	data := d.Bytes(plainLayout)
	for header, fails := range map[string]bool{"5 0 obj": true, "6 0 obj": true, "7 0 obj": true, "8 0 obj": true, "9 0 obj": false} {
		damaged := bytes.Clone(data)
		f := openData(t, damaged)
		db, err := f.Database()
		if err != nil {
			t.Fatal(err)
		}
		copy(damaged[bytes.Index(damaged, []byte("\n"+header)):], "\n???")
		rep, err := Run(f, Options{Database: db, Rules: []*Rule{}, Outline: true})
		if webcapture.IsDamage(err) != fails || !fails && rep.Outline == nil {
			t.Errorf("without %s: %v", header, err)
		}
	}
}

func openData(t *testing.T, data []byte) *webcapture.File {
	t.Helper()
	f, err := webcapture.New(data, webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// text returns what a report found and what it could not read.
func text(r *Report) string {
	var b bytes.Buffer
	for _, f := range r.Findings.All() {
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
