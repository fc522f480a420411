package audit

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Rules say the same of documents that are nearly the same, but each may need another fix, or none.

// fixRow is a document, and the fixes of all that one rule finds in it.
type fixRow struct {
	name, rule, text string
	prefer           rule.Side
	want             string
}

func checkFixes(t *testing.T, rows []fixRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r, ok := Lookup(row.rule)
			if !ok {
				t.Fatalf("no rule %s", row.rule)
			}
			rep := auditText(t, row.text, plainLayout, Options{Rules: []*rule.Rule{r}, Prefer: row.prefer})
			var fixes []string
			for _, f := range rep.Findings.All() {
				fixes = append(fixes, fixText(f.Fix))
			}
			if got := strings.Join(fixes, "; "); got != row.want {
				t.Errorf("%v: fixes %s, want %s", rep.Findings, got, row.want)
			}
		})
	}
}

// TestFixesOfKeysOfIDS: evidence, and what contradicts it.
func TestFixesOfKeysOfIDS(t *testing.T) {
	const z, x = "<00000000000000000000000000000000>", "<9dd4e461268c8034f5c8564e155c67a6>" // x: the MD5 of the image
	const page, second = " << /Type /Page /ID ", " /SI << /AU (http://b.example/) >> >>\n"
	lost := func(member string) string {
		return "names: << /URLS << /Names [ (http://a.example/) 5 0 R (http://b.example/) 7 0 R ] >> /IDS << /Names [ " + z +
			" 5 0 R ] >> >>\n" +
			"5 0 obj << /S /SPS /ID " + idB + " /O [ 6 0 R ]" + fromA + " >>\n6 0 obj" + page + idB +
			" >>\n7 0 obj << /S /SPS /O [ 8 0 R ]" + second + "8 0 obj" + page + member + " >>\n"
	}
	proven := func(o, more string) string {
		return "names: << /IDS << /Names [ " + x + " 5 0 R ] >> >>\n5 0 obj << /S /SIS /ID " + idB + " /O [ " + o + " ]" +
			fromA + " >>\n" +
			"8 0 obj << /Subtype /Image /Filter /DCTDecode >> stream\nx\nendstream\n" + more
	}
	shared := func(subtype string) string {
		return strings.Replace(proven("8 0 R", "7 0 obj << /S /"+subtype+" /ID "+x+" /O [ ]"+second), x+" 5 0 R",
			x+" [ 5 0 R 7 0 R ]", 1)
	}
	changed := "change-id " + idB + " to " + x + ", content set 5 0 R"
	two := func(key, five, seven, eight string) string {
		return "names: << /IDS << /Names [ " + key + " [ 5 0 R 7 0 R ] ] >> >>\n5 0 obj << /S /SPS " + five +
			" /O [ 6 0 R ]" + fromA + " >>\n6 0 obj" + page + idB + " >>\n" +
			"7 0 obj << /S /SPS " + seven + " /O [ 8 0 R ]" + second + "8 0 obj << /Type /Page " + eight + " >>\n"
	}
	const long = "(a0a1a2a3a4a5a6a7a8a9aaabacadaeaf)"
	copied := func(urls string) string {
		return "names: << /URLS << /Names [ " + urls + " ] >> /IDS << /Names [ " + idA +
			" 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID " + idB + " /O [ 6 0 R ]" + fromA + " >>\n6 0 obj" + page + idB +
			" >>\n7 0 obj << /S /SPS /ID " + idB + " /O [ 6 0 R ]" + second
	}
	checkFixes(t, []fixRow{
		{"a set without ID, and one whose member agrees", "WC302", two(idA, "", "/ID "+idB, "/ID "+idB), 0,
			"change-key " + idA + " to " + idB + ", content set 7 0 R"},
		{"a set without ID, and one that nothing supports", "WC302", two(idA, "", "/ID "+idB, ""), 0, "none"},
		{"the MD5 of the second member proves the key", "WC302", proven("<< /X 1 >> 8 0 R", ""), 0, changed},
		{"the MD5 proves the key, after a member that cannot be read", "WC302",
			proven("9 0 R 8 0 R", "9 0 obj << /Broken ] >>\n"), 0, changed},
		{"the MD5 proves the key, which a page set has, too", "WC302", shared("SPS"), 0, changed},
		{"the MD5 proves the key, which an image set has, too", "WC302", shared("SIS"), 0, "none"},
		{"a page has the key, and its set has no ID", "WC302", lost(z), 0, "none"},
		{"nothing else has the key", "WC302", lost(idA), 0, "change-key " + z + " to " + idB + ", content set 5 0 R"},
		{"a copy has as much support", "WC302", copied("(http://a.example/) 5 0 R (http://b.example/) 7 0 R"), 0,
			"change-key " + idA + " to " + idB + ", content set 5 0 R"},
		{"a copy has more support", "WC302", copied("(http://b.example/) 7 0 R"), 0, "none"},
		{"a long key of a set without ID, whose member has one, and of a set", "WC301", two(long, "", "/ID "+idA, "/ID "+idA),
			0, "change-key " + long + " to " + idA + ", content set 7 0 R"},
		{"a long key of two sets, one with a member of another ID", "WC301", two(long, "/ID "+z, "/ID "+idA, "/ID "+idA), 0,
			"none"},
		{"a long key of two sets, one with a member of another ID, and a choice", "WC301",
			two(long, "/ID "+z, "/ID "+idA, "/ID "+idA), rule.Sets,
			"change-key " + long + " to " + z + ", content set 5 0 R, chosen"},
	})
}

// TestFixesOfSeveralKeysOfIDS: a key changes only if nothing else may need it, and if nothing casts doubt on evidence.
func TestFixesOfSeveralKeysOfIDS(t *testing.T) {
	const y, x = "<415290769594460e2e485922904f345d>", "<9dd4e461268c8034f5c8564e155c67a6>" // the MD5 of images
	const idC, idD = "<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>", "<d0d1d2d3d4d5d6d7d8d9dadbdcdddedf>"
	image := func(data, id string) string {
		return " << /Subtype /Image /Filter /DCTDecode " + id + " >> stream\n" + data + "\nendstream\n"
	}
	// The first set is under the key A, and is a page set with the ID B. The second one is elsewhere.
	two := func(ids, seven, eight string) string {
		return "names: << /URLS << /Names [ (http://a.example/) 5 0 R (http://b.example/) 7 0 R ] >> /IDS << /Names [ " +
			ids + " ] >> >>\n5 0 obj << /S /SPS /ID " + idB + " /O [ 6 0 R ]" + fromA + " >>\n6 0 obj << /Type /Page /ID " +
			idB + " >>\n" +
			"7 0 obj << " + seven + " /O [ 8 0 R ] /SI << /AU (http://b.example/) >> >>\n8 0 obj" + eight + "\n"
	}
	page := func(id string) string { return " << /Type /Page " + id + " >>" }
	const one, both, other = idA + " 5 0 R", idA + " [ 5 0 R 7 0 R ]", idA + " 5 0 R " + idC + " 7 0 R"
	moved := "change-key " + idA + " to " + idB + ", content set 5 0 R"
	checkFixes(t, []fixRow{
		{"the key is the ID of a set outside IDS", "WC302", two(one, "/S /SPS /ID "+idA, page("/ID "+idA)), 0, moved},
		{"the key is the ID of a set outside IDS, whose member has another", "WC302",
			two(one, "/S /SPS /ID "+idA, page("/ID "+idC)), 0, "none"},
		{"a set outside IDS and an object of the wrong kind have one ID", "WC302",
			two(one, "/S /SPS /ID "+idC, image("x", "/ID "+idC)), 0, "none"},
		{"the key is the ID of the second set in the value", "WC302", two(both, "/S /SPS /ID "+idA, page("/ID "+idA)), 0,
			moved},
		{"the key is the ID of the first set in the value", "WC302",
			two(idB+" [ 5 0 R 7 0 R ]", "/S /SPS /ID "+idC, page("/ID "+idC)), 0,
			"change-key " + idB + " to " + idC + ", content set 7 0 R"},
		{"the key is the ID of the first set, and nothing supports the second", "WC302",
			two(idB+" [ 5 0 R 7 0 R ]", "/S /SPS /ID "+idC, page("")), 0, "none"},
		{"members of one set in the value have the key, and there is a choice", "WC302",
			two(both, "/S /SPS /ID "+idC, page("/ID "+idA)), rule.Sets, moved + ", chosen; none"},
		{"the MD5 proves the other set", "WC302", two(idA+" 5 0 R "+y+" 7 0 R", "/S /SIS /ID "+x, image("x", "/ID "+x)), 0,
			moved + "; change-key " + y + " to " + x + ", content set 7 0 R"},
		{"the MD5 proves the other key, against its set and member", "WC302",
			two(other, "/S /SIS /ID "+idD, image("x", "/ID "+idD)) + "9 0 obj null\n", 0,
			moved + "; change-key " + idC + " to " + idD + ", content set 7 0 R"},
		{"the MD5 proves the other key, and its member disagrees", "WC302",
			two(x+" 7 0 R "+idA+" 5 0 R", "/S /SIS /ID "+idD, image("x", "/ID "+idD)), 0, "none; none"},
		{"the MD5 proves a key, but the ID of the image cannot be read", "WC302",
			two(x+" 7 0 R", "/S /SIS /ID "+idD, image("x", "/ID 9 0 R")) + "9 0 obj << /Broken ] >>\n", 0, "none"},
	})
}

// TestFixesOfKeysOfURLS: which of the URLs of a content set is meant, and whether a key may get it.
func TestFixesOfKeysOfURLS(t *testing.T) {
	const chosen = ", content set 5 0 R, chosen"
	from := func(names, si string) string {
		return "names: << /URLS << /Names [ " + names + " ] >> >>\n5 0 obj << /S /SPS /ID " + idA + " /O [ ] /SI " + si +
			" >>\n"
	}
	const redirected = "<< /AU << /U (http://a.example/) /C [ [ (http://r.example/) ] ] >> >>"
	const nameless = "[ << /AU << /C [ [ (http://r.example/) ] ] >> >> << /AU (http://a.example/) >> ]"
	shared := func(url string) string {
		return "names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> /IDS << /Names [ " + idB +
			" 7 0 R ] >> >>\n5 0 obj << /S /SPS /ID " + idA + " /O [ ] /SI << /AU (" + url + ") >> >>\n" +
			"7 0 obj << /S /SPS /ID " + idB + " /O [ 6 0 R ]" + fromA + " >>\n6 0 obj << /Type /Page >>\n"
	}
	checkFixes(t, []fixRow{
		{"a URL and a redirect, for sets", "WC221", from("(http://x.example/) 5 0 R", redirected), rule.Sets,
			"change-key (http://x.example/) to (http://a.example/)" + chosen},
		{"a URL and a redirect, for keys", "WC221", from("(http://x.example/) 5 0 R", redirected), rule.Keys,
			"change-source (http://a.example/) to (http://x.example/)" + chosen},
		{"a key that is a redirect, and a wrong key, for keys", "WC221",
			from("(http://r.example/) 5 0 R (http://x.example/) 5 0 R", redirected), rule.Keys,
			"change-source (http://a.example/) to (http://x.example/)" + chosen},
		{"a redirect to nothing, and a URL, for sets", "WC221", from("(http://x.example/) 5 0 R", nameless), rule.Sets,
			"change-key (http://x.example/) to (http://a.example/)" + chosen},
		{"two URLs, for sets", "WC221",
			from("(http://x.example/) 5 0 R", "[ << /AU (http://a.example/) >> << /AU (http://b.example/) >> ]"), rule.Sets,
			"none"},
		{"a key of a set that has the URL", "WC223", shared("http://a.example/"), 0,
			"add-key to (http://a.example/) in URLS, content set 7 0 R"},
		{"a key of a set that has another URL", "WC223", shared("http://x.example/"), 0, "none"},
	})
}

// TestFixesOfPairsWithoutKey: nothing is dropped that may be a key, or may have one.
func TestFixesOfPairsWithoutKey(t *testing.T) {
	pair := func(names, more string) string {
		return "names: << /URLS << /Names [ " + names + " ] >> >>\n5 0 obj << /S /SPS /ID " + idA + " /O [ 6 0 R ]" + fromA +
			" >>\n6 0 obj << /Type /Page /ID " + idA + " >>\n" + more
	}
	number := func(id string) string {
		return "names: << /URLS << /Names [ 7 5 0 R ] >> /IDS << /Names [ " + id + " 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID " +
			idA + " /O [ 6 0 R ] /SI << >> >>\n6 0 obj << /Type /Page /ID " + idA + " >>\n"
	}
	second := "7 0 obj << /S /SPS /ID " + idB + " /O [ ] /SI << /AU (http://b.example/) >> >>\n"
	const broken = "7 0 obj << /Broken ] >>\n"
	checkFixes(t, []fixRow{
		{"a set before its URL", "WC108", pair("5 0 R (http://a.example/)", ""), 0, "restore-keys"},
		{"a set before another URL", "WC108", pair("5 0 R (http://b.example/)", ""), 0, "none"},
		{"a set before the URL of a set in another pair", "WC108", pair("7 5 0 R 7 0 R (http://a.example/)", second), 0,
			"restore-keys; restore-keys"},
		{"a number before a set without URL", "WC108", number(idA), 0, "restore-keys"},
		{"a number before a set without URL, and with a wrong key of IDS", "WC108", number(idB), 0, "none"},
		{"a number before a set with a redirect alone", "WC108",
			strings.Replace(pair("7 5 0 R", ""), "/AU (http://a.example/)", "/AU << /C [ [ (http://r.example/) ] ] >>", 1), 0,
			"none"},
		{"a number before two sets", "WC108", pair("7 [ 5 0 R 7 0 R ]", second), 0, "restore-keys"},
		{"a number before two sets, of which one cannot be read", "WC108", pair("7 [ 5 0 R 7 0 R ]", broken), 0, "none"},
		{"a number before null, and a set", "WC108", pair("7 [ null 99 0 R 5 0 R ]", ""), 0, "restore-keys"},
		{"a number before a set of which a part cannot be read", "WC108",
			strings.Replace(pair("7 5 0 R", broken), "/S /SPS", "/S /SPS /CT 7 0 R", 1), 0, "restore-keys"},
		{"a number before a set whose SI cannot be read", "WC108",
			strings.NewReplacer("/URLS", "/IDS", fromA, " /SI 7 0 R").Replace(pair("7 5 0 R", broken)), 0, "none"},
		{"a set before a string that cannot be read", "WC108", pair("5 0 R 7 0 R", broken), 0, "none"},
	})
}

// noID sorts before the other IDs of tests.
const noID = "<00000000000000000000000000000000>"

// TestReasonAfterRepeatedKey: another key that is there twice does not change why a proven ID cannot be restored.
func TestReasonAfterRepeatedKey(t *testing.T) {
	const want = "but a key of IDS or a member has the ID of the content set; "
	const x = "<9dd4e461268c8034f5c8564e155c67a6>" // the MD5 of the image
	r, _ := Lookup("WC302")
	for _, repeated := range []string{"", noID + " 6 0 R " + noID + " 6 0 R "} {
		rep := auditText(t, "names: << /IDS << /Names [ "+repeated+x+" 5 0 R "+idA+" 7 0 R ] >> >>\n"+
			"5 0 obj << /S /SIS /ID "+idA+" /O [ 8 0 R ]"+fromA+" >>\n6 0 obj << /S /SPS /ID "+noID+fromA+" >>\n"+
			"7 0 obj << /S /SIS /ID "+idA+" /O [ 8 0 R ] /SI << /AU (http://b.example/) >> >>\n"+
			"8 0 obj << /Subtype /Image /Filter /DCTDecode >> stream\nx\nendstream\n", plainLayout,
			Options{Rules: []*rule.Rule{r}})
		if got := findingLines(rep); !strings.Contains(got, want) {
			t.Errorf("repeated key %q: %s", repeated, got)
		}
	}
}
