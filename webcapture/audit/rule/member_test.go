package rule

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// memberOf returns the member in a document.
func memberOf(t *testing.T, p *Pass, num int) *Member {
	t.Helper()
	m := &Member{Ref: refOf(num)}
	var err error
	if m.Object, err = p.Reader.Get(m.Ref); err != nil {
		t.Fatal(err)
	}
	m.Dict, _ = m.Object.Dict()
	m.Type, m.Subtype = m.Dict.Lookup("Type"), m.Dict.Lookup("Subtype")
	return m
}

// TestKindsOfMembers: a page set lists pages and named pages, and an image set images that are not soft masks
// (14.10.4.2, 14.10.4.3). A page without Type is known by the page tree. A stream is never a page.
func TestKindsOfMembers(t *testing.T) {
	const end = " stream\nx\nendstream\n"
	p := passOver(t, `5 0 obj << /Type /Page >>
		6 0 obj << /A 1 >>
		7 0 obj << /A 1 >>
		8 0 obj << /Type /Template >>
		9 0 obj << /Type /Template >>`+end+`
		10 0 obj << /Subtype /Image >>`+end+`
		11 0 obj << /Subtype /Image >>`+end+`
		12 0 obj << /Subtype /Image >>
		13 0 obj << /Type /Page >>`+end+`
		14 0 obj << /Type /Pages >>
		15 0 obj << /Subtype /Form >>`+end+`
		16 0 obj << /A 1 >>`+end)
	doc := &Document{Masks: map[object.Ref]bool{refOf(11): true}}
	for i, num := range []int{5, 6, 8, 13, 14, 16} {
		doc.Numbers.Set(refOf(num), int32(i+1))
	}
	for num, want := range map[int]string{5: "page, fits pages", 6: "page, fits pages", 7: "", 8: "template, fits pages",
		9: "", 10: "image, fits images", 11: "image", 12: "", 13: "", 14: "", 15: "", 16: "", 99: ""} {
		m := memberOf(t, p, num)
		var got []string
		for text, is := range map[string]bool{"page": m.IsPage(doc), "template": m.IsTemplate(), "image": m.IsImage(),
			"fits pages": m.Fits(webcapture.PageSet, doc), "fits images": m.Fits(webcapture.ImageSet, doc),
			"fits others": m.Fits(webcapture.NoSubtype, doc)} {
			if is {
				got = append(got, text)
			}
		}
		slices.SortFunc(got, func(a, b string) int { return len(strings.Fields(a)) - len(strings.Fields(b)) })
		if strings.Join(got, ", ") != want {
			t.Errorf("object %d is %q, want %q", num, got, want)
		}
	}
}

// TestCarriers: a member carries the ID of a content set if both have an ID, and it is the same.
func TestCarriers(t *testing.T) {
	id, other := digest.ID{1}, digest.ID{2}
	for _, row := range []struct {
		member string
		in     Membership
		want   bool
	}{
		{string(id[:]), Membership{ID: id, HasID: true}, true},
		{string(id[:]), Membership{ID: other, HasID: true}, false},
		{string(id[:]), Membership{ID: id}, false},
		{"", Membership{HasID: true}, false},
		{string(make([]byte, len(id))), Membership{}, false},
		{string(id[:15]), Membership{ID: id, HasID: true}, false},
	} {
		m := &Member{ID: webcapture.String{Bytes: []byte(row.member)}}
		if got := m.Carries(row.in); got != row.want {
			t.Errorf("a member with the ID %x carries that of %+v: %v", row.member, row.in, got)
		}
	}
}

// TestPlacesOfMembers: a member has its first place in a content set of each subtype, and the IDs of the sets.
func TestPlacesOfMembers(t *testing.T) {
	a := digest.ID{1}
	m := &Member{Ref: refOf(11), In: []Membership{{Subtype: webcapture.ImageSet},
		{Set: refOf(1), Subtype: webcapture.ImageSet, ID: a, HasID: true},
		{Set: refOf(1), Index: 2, Subtype: webcapture.ImageSet, ID: a, HasID: true},
		{Set: refOf(3), Subtype: webcapture.PageSet}}}
	if got := m.Sets(webcapture.ImageSet); !slices.Equal(got, []object.Ref{refOf(1)}) {
		t.Errorf("image sets %v", got)
	}
	if got, ok := m.First(webcapture.PageSet); !ok || got != m.In[3] {
		t.Errorf("the first page set is %v, %v", got, ok)
	}
	if _, ok := m.First(webcapture.NoSubtype); ok {
		t.Error("the member has a set without subtype")
	}
	for i, id := range map[int]nametree.Key{1: nametree.Key(a[:]), 3: ""} {
		if at := m.At(m.In[i]); at.ID != id || at.Set != m.In[i].Set || at.Object != m.Ref {
			t.Errorf("place %d is %+v", i, at)
		}
	}
}

// TestDefectsOfTrees: a tree yields its defects of some kinds, and is complete if nothing in it is unreadable. A loop
// may end early.
func TestDefectsOfTrees(t *testing.T) {
	for text, want := range map[string]string{
		"/Names [ (b) null (a) null (a) null ]": "entries [1] twice [2], complete",
		"/Kids [ 6 0 R ]":                       "entries [] twice [], not complete",
		"/Kids [ 5 0 R ]":                       "entries [1] twice [], complete",
		"/Kids [ << /Names [ (a) null ] >> << /Names [ (a) null (a) null ] >> ]": "entries [] twice [1 2], complete",
	} {
		p := passOver(t, "names: << /URLS << "+text+" >> >>\n5 0 obj << /Names [ (b) null (a) null ] >>\n"+
			"6 0 obj << /Broken ] >>")
		tree := p.Audit.Trees[webcapture.URLS]
		entries := func(kinds ...nametree.DefectKind) (list []int) {
			for d := range tree.DefectsOf(kinds...) {
				list = append(list, d.Entry)
			}
			var some []int
			for d := range p.Defects(tree, kinds...) {
				if some = append(some, d.Entry); len(some) == 1 {
					break
				}
			}
			for d := range tree.DefectsOf(kinds...) {
				if d.Entry != some[0] {
					t.Errorf("%s: entry %d is the first, and also entry %d", text, d.Entry, some[0])
				}
				break
			}
			return list
		}
		got := fmt.Sprintf("entries %v twice %v", entries(nametree.KeyOrder), entries(nametree.DuplicateKey))
		if Complete(tree.Tree.Tree) {
			got += ", complete"
		} else {
			got += ", not complete"
		}
		if got != want || len(p.Found.omitted) != 0 {
			t.Errorf("%s: %s, want %s; %d are omitted", text, got, want, len(p.Found.omitted))
		}
	}
}

// TestDeletedFindings: DeleteFunc asks once for each finding, in order, and leaves other lists alone.
func TestDeletedFindings(t *testing.T) {
	all := Findings{{Message: "a"}, {Message: "b"}, {Message: "c"}, {Message: "d"}}
	for drop, want := range map[string]string{"": "abcd", "a": "bcd", "bd": "ac", "abcd": "", "x": "abcd"} {
		list, asked := all, ""
		list.DeleteFunc(func(i int, f Finding) bool {
			if asked += f.Message; all[i].Message != f.Message {
				t.Errorf("finding %s has the index %d", f.Message, i)
			}
			return strings.Contains(drop, f.Message)
		})
		got, before := "", ""
		for _, f := range list {
			got += f.Message
		}
		for _, f := range all {
			before += f.Message
		}
		if got != want || len(list) != len(want) || asked != "abcd" || before != "abcd" {
			t.Errorf("without %q: %q, want %q; asked for %q, and the other list is %q", drop, got, want, asked, before)
		}
	}
}

// TestRepairableFindings: a rewrite repairs findings with a fix, except for rules that need a request.
func TestRepairableFindings(t *testing.T) {
	fix, plain, request := &Fix{}, &Rule{ID: "WC1"}, &Rule{ID: "WC2", OnRequest: true}
	list := Findings{{Rule: plain, Fix: fix}, {Rule: plain}, {Rule: request, Fix: fix}, {Rule: request}}
	for i, want := range []bool{true, false, false, false} {
		if got := list[i].Repairable(); got != want {
			t.Errorf("finding %d of %s is repairable: %v", i, list[i].Rule.ID, got)
		}
	}
}

// TestEntriesOfURLS: only the keys of URLS are URLs.
func TestEntriesOfURLS(t *testing.T) {
	const tree = "<< /Names [ (HTTP://a.example/) null ] >>"
	p := passOver(t, "names: << /URLS "+tree+" /IDS "+tree+" >>")
	for name, want := range map[webcapture.TreeName]bool{webcapture.URLS: true, webcapture.IDS: false} {
		e := NewEntry(p.Audit.Trees[name], 0)
		if isURL := string(e.URL.Host) == "a.example" && e.Changes != 0 && e.Changes2 != 0; isURL != want ||
			!want && (e.URL.Scheme != nil || e.Changes != 0) || e.Key != "HTTP://a.example/" || e.At().Key != e.Key {
			t.Errorf("the entry of %v is %+v", name, e)
		}
	}
}

// TestAcceptedKeys: a content set accepts the forms of its URLs, and keys whose forms are among them. Reuse forgets the
// forms.
func TestAcceptedKeys(t *testing.T) {
	p := passOver(t, "5 0 obj << /S /SPS /SI [ << /AU (HTTP://a.example) >> << /AU (http://b.example/a/../b) >> ] >>\n"+
		"6 0 obj << /S /SPS /SI << /AU (http://c.example/) >> >>")
	var s Set
	for _, row := range []struct {
		set     int
		yes, no []nametree.Key
	}{
		{5, []nametree.Key{"http://a.example", "http://a.example/", "HTTP://A.example/", "http://b.example/b",
			"\xfe\xff\x00h\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00e\x00x\x00a\x00m\x00p\x00l\x00e"},
			[]nametree.Key{"http://a.example/x", "http://c.example/", "", "https://a.example/"}},
		{6, []nametree.Key{"http://c.example/", "http://c.example"}, []nametree.Key{"http://a.example",
			"http://b.example/b"}},
	} {
		if err := p.Reader.Read(object.MakeRef(refOf(row.set)), &s.ContentSet); err != nil {
			t.Fatal(err)
		}
		s.Reuse(refOf(row.set))
		for want, keys := range map[bool][]nametree.Key{true: row.yes, false: row.no} {
			for _, key := range keys {
				if got := s.Accepts(key); got != want {
					t.Errorf("set %d accepts %q: %v, want %v", row.set, key, got, want)
				}
			}
		}
	}
}

// TestUnreadNames: if the name dictionary is missing or damaged, the file has an unreadable part.
func TestUnreadNames(t *testing.T) {
	for names, want := range map[string]string{
		"":              "",
		"/Names null":   "",
		"/Names << >>":  "",
		"/Names 5 0 R":  "",
		"/Names 7":      "the name dictionary is an integer",
		"/Names [ ]":    "the name dictionary is an array",
		"/Names (x)":    "the name dictionary is a string",
		"/Names 6 0 R":  "the name dictionary is a name",
		"/Names 7 0 R":  "unexpected ]",
		"/Names 99 0 R": "", // null, and a notice
		"/Names 9 0 R":  "",
	} {
		d := parsed(t, "catalog: << /Type /Catalog "+names+" >>\n5 0 obj << >>\n6 0 obj /A\n"+
			"7 0 obj << /Broken ] >>\n9 0 obj null\n")
		p := newPass(t, context.Background(), d)
		got := ""
		for _, u := range UnreadOf(p.Audit.File, p.DB) {
			ref, _ := p.DB.Catalog.Lookup("Names").Ref()
			if got += u.Err.Error(); u.Ref != ref {
				t.Errorf("%s: the unread object is %v", names, u.Ref)
			}
		}
		if !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", names, got, want)
		}
		undefined := names == "/Names 99 0 R" || names == "/Names 9 0 R"
		if notices := p.Audit.File.Facts(p.DB).Notices; undefined != (len(notices) == 1) {
			t.Errorf("%s: notices %q", names, notices)
		}
	}
}
