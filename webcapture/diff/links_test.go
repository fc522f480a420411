package diff_test

import "testing"

const (
	annots = "/Contents [ 19 0 R ]" // an entry of page 2 of base, which has no annotations
	top    = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70>"
	end    = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f71>"
)

func withAnnots(links string) []string {
	return []string{annots, annots + " /Annots [ " + links + " ]"}
}

// TestRetainedLinks: the URLs in PA are counted, in no order.
func TestRetainedLinks(t *testing.T) {
	pa := func(urls string) string {
		s := ""
		for _, u := range urls {
			s += "<< /PA << /S /URI /URI (" + string(u) + ") >> >> "
		}
		return s
	}
	becomes := func(name, a, b, want string) pairCase {
		return pairCase{name, withAnnots(pa(a)), []string{pa(a), pa(b)}, want}
	}
	testPairs(t, []pairCase{
		becomes("another order", "cab", "bca", ""),
		becomes("one more", "ab", "abb", "changed links that keep (b): 1 link | 2 links\n"),
		becomes("one is lost", "cabb", "bac", "retainedURLsLost: 1 of 5 URLs in PA of a link lost, or the link removed\n"+
			"changed links that keep (b): 2 links | 1 link\n"),
		becomes("others", "bdd", "acc", "retainedURLsLost: 3 of 4 URLs in PA of a link lost, or the link removed\n"+
			"added links that keep (a):  | 1 link\nlost links that keep (b): 1 link | \n"+
			"added links that keep (c):  | 2 links\nlost links that keep (d): 2 links | \n"),
		{"annotations without PA", nil, withAnnots("<< /A << /S /URI /URI (x) >> >> 7 null << /PA << /URI 7 >> >>"), ""},
		{"an indirect list", withAnnots(pa("ab")), []string{"/Annots [ " + pa("ab") + " ]", "/Annots 30 0 R",
			"\n10 0 obj", "\n30 0 obj [ 31 0 R " + pa("b") + "]\n31 0 obj " + pa("a") + "\n10 0 obj"}, ""},
	})
}

// TestDestinations: links to named destinations count if the name has the ID of a content set and a viewer finds it,
// in the tree or in the dictionary of PDF 1.1.
func TestDestinations(t *testing.T) {
	const unknown = "<ffa1a2a3a4a5a6a7a8a9aaabacadaeaf746f70>"
	const zeros = "<00000000000000000000000000000000746f70>"
	const tree = "/Dests << /Names [ " + top + " [ 6 0 R /Fit ] ] >>"
	const lostTop = "linksBroken: 1 of 1 link to a named destination broken\nlost destination " + top + ": 1 link | \n"
	for _, tt := range []struct {
		name         string
		a            []string
		named, found int // of A
		b            []string
		want         string // of a comparison with B
	}{
		{"base", nil, 1, 1, []string{tree, ""}, lostTop},
		{"no trees", []string{tree, ""}, 1, 0, nil, ""},
		{"names of no content set, before and behind", withAnnots("<< /Dest (x) >> << /Dest (name) >> << /Dest " +
			unknown + " >>"), 1, 1, []string{tree, ""}, lostTop},
		{"a content set without ID", append(withAnnots("<< /Dest "+zeros+" >>"), "/S /SIS /ID "+idB, "/S /SIS"), 1, 1,
			[]string{tree, ""}, lostTop},
		{"some that do not work", withAnnots("<< /Dest <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf61> >> << /Dest " + end + " >>"),
			3, 1, []string{tree, ""}, lostTop},
		{"several links", withAnnots("<< /Dest " + top + " >> << /Dest " + end + " >> << /Dest " + top + " >>"), 4, 3,
			[]string{tree, ""}, "linksBroken: 3 of 3 links to a named destination broken\nlost destination " + top +
				": 3 links | \n"},
		{"a destination is added", withAnnots("<< /Dest " + end + " >>"), 2, 1,
			[]string{"[ 6 0 R /Fit ] ]", "[ 6 0 R /Fit ] " + end + " [ 7 0 R /Fit ] ]"},
			"added destination " + end + ":  | 1 link\n"},
		{"Dest wins over an action", []string{"/A << /S /GoTo", "/Dest (x) /A << /S /GoTo"}, 0, 0, []string{tree, ""}, ""},
		{"another action", []string{"/S /GoTo", "/S /GoToR"}, 0, 0, []string{tree, ""}, ""},
		{"a destination that is no name", []string{"/D " + top, "/D [ 6 0 R /Fit ]"}, 0, 0, []string{tree, ""}, ""},
		{"a name object", []string{"/D " + top, "/D /#a0#a1#a2#a3#a4#a5#a6#a7#a8#a9#aa#ab#ac#ad#ae#aftop"}, 1, 1,
			[]string{tree, ""}, lostTop},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := edit(t, base, tt.a...)
			res := compare(t, pdf(t, a), pdf(t, edit(t, a, tt.b...)))
			if res.A.Named != tt.named || res.A.Found != tt.found {
				t.Errorf("%d named links, %d of them work; want %d and %d", res.A.Named, res.A.Found, tt.named, tt.found)
			}
			if got := text(res); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// TestOldDestinations: the dictionary Dests of the catalog counts like the tree.
func TestOldDestinations(t *testing.T) {
	const name = "/#a0#a1#a2#a3#a4#a5#a6#a7#a8#a9#aa#ab#ac#ad#ae#aftop"
	catalog := func(dests string) []byte {
		return pdf(t, "catalog: << /Type /Catalog /Pages 3 0 R /Names << /URLS 4 0 R >> /Dests << "+dests+" >> >>\n"+
			"3 0 obj << /Type /Pages /Count 1 /Kids [ 6 0 R ] >>\n4 0 obj << /Names [ (http://a.example/) 5 0 R ] >>\n"+
			"5 0 obj << /S /SPS /ID "+idA+" /O [ 6 0 R ] >>\n"+
			"6 0 obj << /Type /Page /Parent 3 0 R /Annots [ << /Dest "+top+" >> ] >>\n")
	}
	const lost = "linksBroken: 1 of 1 link to a named destination broken\nlost destination " + top + ": 1 link | \n"
	for b, want := range map[string]string{
		name + " [ 6 0 R /Fit ]":              "",
		name + " [ 6 0 R /Fit ] /x null":      "",
		name + " null":                        lost,
		"/other [ 6 0 R /Fit ]":               lost,
		"/other null " + name + " (anything)": "",
	} {
		t.Run(b, func(t *testing.T) {
			if got := text(compare(t, catalog(name+" [ 6 0 R /Fit ]"), catalog(b))); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// TestPageIDs: pages are counted by ID. A page counts once, even if the page tree has it twice.
func TestPageIDs(t *testing.T) {
	const zeros = "<00000000000000000000000000000000>"
	file := func(kids, id string) []byte {
		return pdf(t, "catalog: << /Type /Catalog /Pages 3 0 R /Names << /URLS 4 0 R >> >>\n"+
			"3 0 obj << /Type /Pages /Count 1 /Kids [ "+kids+" ] >>\n4 0 obj << /Names [ (http://a.example/) 5 0 R ] >>\n"+
			"5 0 obj << /S /SPS /ID "+idA+" /O [ 6 0 R 7 0 R ] >>\n"+
			"6 0 obj << /Type /Page /Parent 3 0 R /ID "+id+" >>\n7 0 obj << /Type /Page /Parent 3 0 R /ID "+idA+" >>\n")
	}
	a := file("6 0 R 7 0 R", idA)
	for _, tt := range []struct{ name, kids, id, want string }{
		{"again", "6 0 R 7 0 R 6 0 R", idA, ""},
		{"another ID", "6 0 R 7 0 R", idB, "pageIDsDropped: 1 of 2 page IDs lost, or the page removed\n" +
			"changed pages with ID " + idA + ": 2 pages | 1 page\nadded pages with ID " + idB + ":  | 1 page\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := compare(t, a, file(tt.kids, tt.id))
			if got := text(res); got != tt.want || res.A.Tagged != 2 || res.B.Tagged != 2 {
				t.Errorf("%d and %d pages with ID, want 2; got\n%swant\n%s", res.A.Tagged, res.B.Tagged, got, tt.want)
			}
		})
	}
	testPairs(t, []pairCase{
		{"a page with an ID of zeros, and a set without ID is lost",
			append(more("30 0 obj << /Type /Page /ID "+zeros+" >>"), "(http://d.example/) 10 0 R",
				"(http://d.example/) 10 0 R (http://e.example/) "+direct),
			[]string{"(http://e.example/) " + direct, "", "/Page /ID " + zeros, "/Page"},
			"setsDropped: 1 of 4 content sets dropped\npageIDsDropped: 1 of 4 page IDs lost, or the page removed\n" +
				"lost page set of (http://n.example/): 0 members | \nlost pages with ID " + zeros + ": 1 page | \n"},
	})
}
