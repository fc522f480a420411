package audit

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// auditText audits the document of a fixture.
func auditText(t *testing.T, text string, l webcapturetest.Layout, opt Options) *Report {
	t.Helper()
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return auditBytes(t, d.Bytes(l), opt)
}

// TestVersions: Web Capture belongs to the versions from 1.3 to 1.7.
func TestVersions(t *testing.T) {
	const text = "names: << /URLS << /Names [ ] >> >>\nspiderinfo: << /V 1.25 >>\n5 0 obj null\n"
	for version, want := range map[string]bool{"1.0": true, "1.2": true, "1.3": false, "1.10": false, "2.0": true} {
		t.Run(version, func(t *testing.T) {
			rep := auditText(t, text, webcapturetest.Layout{Version: version}, Options{Rules: []*rule.Rule{checks.VersionOld}})
			if got := len(rep.Findings) > 0; got != want {
				t.Errorf("version %s: %v, want a finding: %t", version, rep.Findings, want)
			}
		})
	}
	rep := auditText(t, "5 0 obj null\n", webcapturetest.Layout{Version: "1.2"}, Options{Rules: []*rule.Rule{checks.VersionOld}})
	if len(rep.Findings) > 0 {
		t.Errorf("without Web Capture: %v", rep.Findings)
	}
}

// TestVersionsOfPDF: an invalid version counts as 0.0.
func TestVersionsOfPDF(t *testing.T) {
	for in, want := range map[string][2]int{"1.4": {1, 4}, "2.0": {2, 0}, "1.10": {1, 10}, "": {}, "1": {}, "1.": {},
		"1.x": {}, "x.4": {}, ".4": {}} {
		t.Run(in, func(t *testing.T) {
			p := &rule.Pass{DB: &webcapture.Database{Version: in}}
			if major, minor := checks.PDFVersion(p); major != want[0] || minor != want[1] {
				t.Errorf("%q: %d, %d, want %v", in, major, minor, want)
			}
		})
	}
}

// TestSettingsInTheOrderOfNumbers: a finding names the object with the lowest number, wherever it is in the file.
func TestSettingsInTheOrderOfNumbers(t *testing.T) {
	numbers := map[int]string{4: "/X 8 0 R", 5: "/X 9 0 R", 6: "/X 8 0 R", 7: "/X 9 0 R", 20: "]", 21: "]"}
	for i, order := range [][]int{{4, 5, 6, 7, 20, 21}, {21, 20, 7, 6, 5, 4}, {6, 20, 4, 21, 7, 5}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			d, err := webcapturetest.Parse("names: << /URLS << >> >>\nspiderinfo: << /V 1.25 /C [ 3 0 R ] >>\n" +
				"3 0 obj << /URL (http://a.example/) /S << /G << /AU 8 0 R /AL 9 0 R >> >> >>\n8 0 obj << >>\n9 0 obj << >>\n")
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range order {
				d.Update() // so that it comes after the other objects
				d.Set(n, "<< "+numbers[n]+" >>")
			}
			rep := auditBytes(t, d.Bytes(plainLayout), Options{Rules: []*rule.Rule{checks.SettingsShared}})
			const want = "S: 8 0 R belongs to the settings, but 4 0 R also refers to it; there are 4 such references"
			if len(rep.Findings) != 1 || rep.Findings[0].Message != want {
				t.Errorf("objects in the order %v: %v, want %s", order, rep.Findings, want)
			}
			if len(rep.Unread) != 1 || rep.Unread[0].Ref.Num != 20 {
				t.Errorf("objects in the order %v: %v could not be read", order, rep.Unread)
			}
		})
	}
}

// commandRules are the rules that look at SpiderInfo and its commands.
func commandRules() []*rule.Rule {
	var list []*rule.Rule
	for _, r := range checks.Rules {
		if r.CheckInfo != nil {
			list = append(list, r)
		}
	}
	return list
}

// TestManyCommands: audits of many commands, and of data and settings that they share, take time in proportion to the
// file.
func TestManyCommands(t *testing.T) {
	const n = 100_000
	for _, row := range []struct {
		name string
		make func(d *webcapturetest.Document) (c string)
		want string // rules
	}{
		{"one command n times", func(d *webcapturetest.Document) string {
			return strings.Repeat(refTo(d.Add("<< /URL (http://a.example/"+strings.Repeat("a", n)+") >>"))+" ", n)
		}, ""},
		{"n commands share data", func(d *webcapturetest.Document) string {
			data := d.Add("(" + strings.Repeat("a=b&", n/4) + ")")
			return repeatText(n, func(int) string { return refTo(d.Add("<< /URL (http://a.example/) /P " + refTo(data) + " >>")) })
		}, ""},
		{"n commands share settings", func(d *webcapturetest.Document) string {
			part := d.Add("[ " + strings.Repeat("1 ", n) + "]")
			s := d.Add("<< /G << /AU " + refTo(part) + " >> >>")
			return repeatText(n, func(int) string { return refTo(d.Add("<< /URL (http://a.example/) /S " + refTo(s) + " >>")) })
		}, ""},
		{"a chain of n objects, and another one leads into it n times", func(d *webcapturetest.Document) string {
			first := d.Reserve()
			last := first
			for range n {
				next := d.Reserve()
				d.Set(last, "[ "+refTo(next)+" "+refTo(first)+" ]")
				last = next
			}
			d.Set(last, "null")
			d.Add("[ " + strings.Repeat(refTo(last)+" ", n) + "]")
			return refTo(d.Add("<< /URL (http://a.example/) /S << /G << /AU " + refTo(first) + " >> >> >>"))
		}, "WC628"},
		{"n settings share n objects", func(d *webcapturetest.Document) string {
			var parts []int
			for range n / 10 {
				parts = append(parts, d.Add("[ ]"))
			}
			all := d.Add("[ " + repeatText(len(parts), func(i int) string { return refTo(parts[i]) }) + "]")
			return repeatText(n/10, func(int) string {
				return refTo(d.Add("<< /URL (http://a.example/) /S << /G << /AU " + refTo(all) + " >> >> >>"))
			})
		}, "WC628"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := new(webcapturetest.Document)
			d.Root = d.Add(fmt.Sprintf("<< /Type /Catalog /Names << /URLS << >> >> /SpiderInfo << /V 1.25 /C [ %s ] >> >>", row.make(d)))
			data := d.Bytes(plainLayout)
			start := time.Now()
			rep := auditBytes(t, data, Options{Rules: commandRules()})
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%d bytes took %v", len(data), took)
			}
			t.Logf("%d bytes, %v, %d findings, unread %v", len(data), time.Since(start), len(rep.Findings), rep.Unread)
			for _, f := range rep.Findings {
				if f.Rule.ID != row.want {
					t.Fatal(f)
				}
			}
			if row.want != "" && len(rep.Findings) == 0 {
				t.Errorf("no finding of %s", row.want)
			}
		})
	}
}
