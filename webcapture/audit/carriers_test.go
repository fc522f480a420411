package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// vacanciesOf returns the carriers of a document, each with the element of O that it replaces.
func vacanciesOf(t *testing.T, text string) string {
	t.Helper()
	var found []string
	needsPatterns := &rule.Rule{ID: "WC001", CheckMember: func(*rule.Pass, *rule.Member, *rule.Document) {}}
	rep := auditText(t, text, plainLayout, Options{Rules: []*rule.Rule{needsPatterns, checks.CarrierOrphan}})
	for _, f := range rep.Findings {
		if f.Fix != nil {
			found = append(found, fmt.Sprintf("%d is %d of %d", f.Place.Object.Num, f.Fix.Index, f.Fix.Set.Num))
		}
	}
	slices.Sort(found)
	return strings.Join(found, ", ")
}

// Pages that have the ID of a page set, and that no O lists, fill O if nothing in it is left. Otherwise each replaces
// only the element outside the page tree of which it is a copy.
func TestPagesThatMayReplaceElements(t *testing.T) {
	const page, other = " << /Type /Page /ID " + idA + " >>\n", " << /Type /Page >>\n"
	pages := func(kids, o, more string) string {
		return "catalog: << /Type /Catalog /Pages 10 0 R /Names << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >> >>\n" +
			"10 0 obj << /Kids [ " + kids + " ] >>\n5 0 obj << /S /SPS /ID " + idA + " /O [ " + o + " ] >>\n" + more
	}
	const data = "11 0 obj << >> stream\nx\nendstream\n12 0 obj << >> stream\nx\nendstream\n" +
		"13 0 obj << >> stream\ny\nendstream\n"
	shows := func(contents int) string {
		return fmt.Sprintf(" << /Type /Page /ID %s /Contents %d 0 R >>\n", idA, contents)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"one element", pages("6 0 R", "99 0 R", "6 0 obj"+page), "6 is 0 of 5"},
		{"a null element", pages("6 0 R", "null", "6 0 obj"+page), "6 is 0 of 5"},
		{"more elements than pages", pages("6 0 R", "99 0 R 98 0 R", "6 0 obj"+page), "6 is 0 of 5"},
		{"more elements than pages, and another page", pages("6 0 R 8 0 R", "99 0 R 98 0 R 8 0 R",
			"6 0 obj"+page+"8 0 obj"+other), ""},
		{"as many elements as pages, and another page", pages("6 0 R 8 0 R", "8 0 R 98 0 R",
			"6 0 obj"+page+"8 0 obj"+other), ""},
		{"fewer elements than pages", pages("6 0 R 7 0 R", "99 0 R", "6 0 obj"+page+"7 0 obj"+page), "6 is 0 of 5, 7 is 1 of 5"},
		{"in page order", pages("7 0 R 6 0 R", "99 0 R 98 0 R", "6 0 obj"+page+"7 0 obj"+page),
			"6 is 1 of 5, 7 is 0 of 5"},
		{"an element outside the page tree", pages("6 0 R", "8 0 R", "6 0 obj"+page+"8 0 obj"+other), ""},
		{"an image instead of a page", pages("6 0 R", "8 0 R", "6 0 obj"+page+"8 0 obj << >> stream\nx\nendstream\n"),
			""},
		{"a dictionary that is not a page", pages("6 0 R", "<< /S /SPS >>", "6 0 obj"+page), ""},
		{"a dictionary that is not a page, and a direct page", pages("6 0 R << /Type /Page >>", "<< /S /SPS >>",
			"6 0 obj"+page), ""},
		{"an unreadable element", pages("6 0 R", "8 0 R", "6 0 obj"+page+"8 0 obj << /Broken ] >>\n"), ""},
		{"no element", pages("6 0 R", "", "6 0 obj"+page), "6 is 0 of 5"},
		{"a copy of an element outside the page tree", pages("6 0 R", "8 0 R", "6 0 obj"+shows(11)+"8 0 obj"+shows(12)+data),
			"6 is 0 of 5"},
		{"other content than an element outside the page tree", pages("6 0 R", "8 0 R", "6 0 obj"+shows(11)+"8 0 obj"+
			shows(13)+data), ""},
		{"two copies of an element outside the page tree", pages("6 0 R 7 0 R", "8 0 R", "6 0 obj"+shows(11)+"7 0 obj"+
			shows(11)+"8 0 obj"+shows(12)+data), ""},
		{"an ID of another length", pages("6 0 R", "99 0 R", "6 0 obj << /Type /Page /ID <a0> >>\n"), ""},
		{"a set without ID", strings.ReplaceAll(pages("6 0 R", "99 0 R", "6 0 obj"+page), "/ID "+idA+" /O",
			"/O"), ""},
		{"zeros, and a set without ID", "catalog: << /Type /Catalog /Pages 10 0 R " +
			"/Names << /URLS << /Names [ (a) 5 0 R ] >> >> >>\n" +
			"10 0 obj << /Kids [ 6 0 R ] >>\n5 0 obj << /S /SPS /O [ 99 0 R ] >>\n" +
			"6 0 obj << /Type /Page /ID <00000000000000000000000000000000> >>\n", ""},
		{"another ID", pages("6 0 R", "99 0 R", "6 0 obj << /Type /Page /ID "+idB+" >>\n"), ""},
		{"a page in O", pages("6 0 R", "6 0 R 99 0 R", "6 0 obj"+page), ""},
		{"a page tree that is not whole", pages("6 0 R 7 0 R", "99 0 R", "6 0 obj"+page+"7 0 obj << /Broken ] >>\n"),
			""},
		{"two sets with the ID", strings.Replace(pages("6 0 R", "99 0 R", "6 0 obj"+page), "[ (http://a.example/) 5 0 R",
			"[ (http://a.example/) [ 5 0 R 8 0 R ]", 1) + "8 0 obj << /S /SPS /ID " + idA + " /O [ 97 0 R ] >>\n",
			""},
		{"an image set with the ID", strings.Replace(pages("6 0 R", "99 0 R", "6 0 obj"+page), "/SPS", "/SIS", 1),
			""},
		{"a set in the tree itself", strings.Replace(pages("6 0 R", "", "6 0 obj"+page), "5 0 R ]",
			"<< /S /SPS /ID "+idA+" /O [ 99 0 R ] >> ]", 1), ""},
		{"an element that another set lists, too", strings.Replace(pages("6 0 R", "8 0 R", "6 0 obj"+page),
			"[ (http://a.example/) 5 0 R", "[ (http://a.example/) 5 0 R (http://b.example/) 9 0 R", 1) +
			"8 0 obj << >> stream\nx\nendstream\n9 0 obj << /S /SIS /ID " + idB + " /O [ 8 0 R ] >>\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := vacanciesOf(t, tt.text); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// An image that a page shows may replace an element of an image set if the count in R allows that.
func TestImagesThatMayReplaceElements(t *testing.T) {
	const image = " << /Subtype /Image /ID " + idA + " >> stream\nx\nendstream\n"
	images := func(shown, set, more string) string {
		return "catalog: << /Type /Catalog /Pages 10 0 R /Names << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >> >>\n" +
			"10 0 obj << /Kids [ 6 0 R ] >>\n6 0 obj << /Type /Page /Resources << " + shown + " >> >>\n" +
			"5 0 obj << /S /SIS /ID " + idA + " " + set + " >>\n7 0 obj" + image + more
	}
	const one, plain = "/XObject << /A 7 0 R >>", "8 0 obj << /Subtype /Image >> stream\ny\nendstream\n"
	for _, tt := range []struct{ name, text, want string }{
		{"a count of one page", images(one, "/O [ 99 0 R ] /R [ 1 ]", ""), "7 is 0 of 5"},
		{"a count of two pages", images(one, "/O [ 99 0 R ] /R [ 2 ]", ""), ""},
		{"an integer", images(one, "/O [ 99 0 R ] /R 1", ""), "7 is 0 of 5"},
		{"an integer of two pages", images(one, "/O [ 99 0 R ] /R 2", ""), ""},
		{"no count", images(one, "/O [ 99 0 R ]", ""), "7 is 0 of 5"},
		{"more counts than elements", images(one, "/O [ 99 0 R ] /R [ 2 2 ]", ""), "7 is 0 of 5"},
		{"a count that is not a number", images(one, "/O [ 99 0 R ] /R [ /A ]", ""), "7 is 0 of 5"},
		{"a negative count", images(one, "/O [ 99 0 R ] /R [ -2 ]", ""), "7 is 0 of 5"},
		{"the count of the second element",
			images("/XObject << /A 7 0 R /B 8 0 R >>", "/O [ 8 0 R 99 0 R ] /R [ 3 1 ]", plain), ""},
		{"two elements", images(one, "/O [ 99 0 R 98 0 R ]", ""), "7 is 0 of 5"},
		{"two images", images("/XObject << /A 7 0 R /B 8 0 R >>", "/O [ 99 0 R ]", "8 0 obj"+image), ""},
		{"two elements and two images", images("/XObject << /A 7 0 R /B 8 0 R >>", "/O [ 99 0 R 98 0 R ]",
			"8 0 obj"+image), "7 is 0 of 5, 8 is 1 of 5"},
		{"an element that no page shows", images(one, "/O [ 8 0 R ]", plain), ""},
		{"an element that a page shows", images("/XObject << /A 7 0 R /B 8 0 R >>", "/O [ 8 0 R ]", plain), ""},
		{"an element that a pattern shows", images(one+" /Pattern << /P 9 0 R >>", "/O [ 8 0 R ] /R [ 0 ]", plain+
			"9 0 obj << /PatternType 1 /Resources << /XObject << /A 8 0 R >> >> >> stream\nx\nendstream\n"), ""},
		{"an element that the second of two patterns shows", images(one+" /Pattern << /A 11 0 R /P 9 0 R >>",
			"/O [ 8 0 R ] /R [ 0 ]", plain+"9 0 obj << /PatternType 1 /Resources << /XObject << /A 8 0 R >> >> >>"+
				" stream\nx\nendstream\n11 0 obj << /Broken ] >>\n"), ""},
		{"an element that a pattern of a later page shows", strings.Replace(images(one, "/O [ 8 0 R ] /R [ 0 ]", plain+
			"9 0 obj << /PatternType 1 /Resources << /XObject << /A 8 0 R >> >> >> stream\nx\nendstream\n"+
			"12 0 obj << /Type /Page /Resources << /Pattern << /P 9 0 R >> >> >>\n"), "/Kids [ 6 0 R",
			"/Kids [ 6 0 R 6 0 R 12 0 R", 1), ""},
		{"a page instead of an image", images(one, "/O [ 6 0 R ]", ""), ""},
		{"pages that cannot be counted", images("/XObject << /A 7 0 R /B 9 0 R >>", "/O [ 99 0 R ] /R [ 2 ]",
			"9 0 obj << /Broken ] >>\n"), "7 is 0 of 5"},
		{"an image that no page shows", images("", "/O [ 99 0 R ]", ""), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := vacanciesOf(t, tt.text); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// dropped reports the fixes that are left of a rule that would drop each element of O.
func dropped(t *testing.T, text string) (lines []string) {
	t.Helper()
	drop := &rule.Rule{ID: "WC001", Action: rule.DropMember, CheckSet: func(p *rule.Pass, s *rule.Set) {
		for i := range 2 {
			p.Reportf(s.At(), &rule.Fix{Action: rule.DropMember, Set: s.Ref, Index: i}, "element %d", i)
		}
	}}
	other := &rule.Rule{ID: "WC002", Action: rule.ChangeKey, CheckSet: func(p *rule.Pass, s *rule.Set) {
		p.Reportf(s.At(), &rule.Fix{Action: rule.ChangeKey}, "a key")
	}}
	rep := auditText(t, text, plainLayout, Options{Rules: []*rule.Rule{drop, other, checks.CarrierOrphan}})
	for _, f := range rep.Findings {
		if f.Rule == checks.CarrierOrphan {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: %t", f.Message, f.Fix != nil))
	}
	slices.Sort(lines)
	return lines
}

// An element of O stays if R has another number of counts.
func TestElementsThatHaveToStay(t *testing.T) {
	const uneven = ", but R does not have a count for each element of O"
	const key = "a key: true"
	sets := func(set, more string) string {
		return "catalog: << /Type /Catalog /Pages 10 0 R /Names << /URLS << /Names [ (http://a.example/) " + set +
			" ] >> >> >>\n10 0 obj << /Kids [ 6 0 R ] >>\n" + more
	}
	images := func(r string) string {
		return sets("5 0 R", "6 0 obj << /Type /Page >>\n5 0 obj << /S /SIS /ID "+idA+" /O [ 99 0 R 98 0 R ] "+r+
			" >>\n8 0 obj << /Broken ] >>\n9 0 obj [ 1 ]\n")
	}
	both := []string{key, "element 0: true", "element 1: true"}
	none := []string{key, "element 0" + uneven + ": false", "element 1" + uneven + ": false"}
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"a count for each", images("/R [ 1 1 ]"), both},
		{"a count too few", images("/R [ 1 ]"), none},
		{"a count too many", images("/R [ 1 1 1 ]"), none},
		{"an indirect array", images("/R 9 0 R"), none},
		{"an unreadable R", images("/R 8 0 R"), none},
		{"an integer", images("/R 1"), both},
		{"no R", images(""), both},
		{"a set in the tree itself", sets("<< /S /SIS /ID "+idB+" /O [ ] /R [ 1 ] >>", "6 0 obj << /Type /Page >>\n"), both},
		{"a page with a place, for one of the elements", sets("5 0 R", "6 0 obj << /Type /Page /ID "+idA+
			" >>\n5 0 obj << /S /SPS /ID "+idA+" /O [ 99 0 R 98 0 R ] >>\n"), both},
		{"a page without a place", sets("5 0 R", "6 0 obj << /Type /Page /ID "+idA+
			" >>\n5 0 obj << /S /SPS /ID "+idA+" /O [ 8 0 R 99 0 R 98 0 R ] >>\n8 0 obj << /Broken ] >>\n"),
			both},
		{"a page without a place, and another ID", sets("5 0 R", "6 0 obj << /Type /Page /ID "+idB+
			" >>\n5 0 obj << /S /SPS /ID "+idA+" /O [ 99 0 R 98 0 R ] >>\n"), both},
		{"a page for an element, and R of another length", sets("5 0 R", "6 0 obj << /Type /Page /ID "+idA+
			" >>\n5 0 obj << /S /SPS /ID "+idA+" /O [ 99 0 R 98 0 R ] /R [ 1 ] >>\n"),
			[]string{key, "element 0: true", "element 1" + uneven + ": false"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			slices.Sort(tt.want)
			if got := dropped(t, tt.text); !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// If the disk fails where only the search for places of pages reads, the audit fails.
func TestCarriersFailWithTheFile(t *testing.T) {
	d, err := webcapturetest.Parse("catalog: << /Type /Catalog /Pages 10 0 R " +
		"/Names << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >> >>\n" +
		"10 0 obj << /Kids [ 6 0 R ] >>\n5 0 obj << /S /SPS /ID " + idA + " /O [ 8 0 R 8 0 R ] /R 9 0 R >>\n" +
		"6 0 obj << /Type /Page /ID " + idA + " >>\n8 0 obj << /Type /Page >>\n9 0 obj [ 1 1 ]\n")
	if err != nil {
		t.Fatal(err)
	}
	whole := d.Bytes(plainLayout)
	drop := &rule.Rule{ID: "WC701", Action: rule.DropMember, CheckSet: func(p *rule.Pass, s *rule.Set) {
		p.Reportf(s.At(), &rule.Fix{Action: rule.DropMember, Set: s.Ref, Index: 7}, "an element") // private: not described
	}}
	for name, tt := range map[string]struct {
		num  int
		rule func(fail func()) *rule.Rule
	}{
		"the content set": {5, func(fail func()) *rule.Rule {
			return &rule.Rule{CheckPage: func(*rule.Pass, *rule.Page, *rule.Document) { fail() }}
		}},
		"an element of O": {8, func(fail func()) *rule.Rule {
			return &rule.Rule{CheckPage: func(*rule.Pass, *rule.Page, *rule.Document) { fail() }}
		}},
		"the content set of a fix": {5, func(fail func()) *rule.Rule {
			return &rule.Rule{CheckDocument: func(*rule.Pass, *rule.Document) { fail() }}
		}},
		"R of the content set of a fix": {9, func(fail func()) *rule.Rule {
			return &rule.Rule{CheckDocument: func(*rule.Pass, *rule.Document) { fail() }}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			data := bytes.Clone(whole)
			hook := tt.rule(func() { copy(data[bytes.Index(data, fmt.Appendf(nil, "\n%d 0 obj", tt.num)):], "\n???") })
			rules := []*rule.Rule{drop, hook}
			if hook.CheckPage != nil {
				rules[0] = checks.CarrierOrphan // drop would read the content set again
			}
			if rep, err := Run(openData(t, data), Options{Rules: rules}); !webcapture.IsDamage(err) {
				t.Errorf("%v, %v, want damage", rep, err)
			}
		})
	}
}
