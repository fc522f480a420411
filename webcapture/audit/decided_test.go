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
			for _, f := range rep.Findings {
				fixes = append(fixes, fixText(f.Fix))
			}
			if got := strings.Join(fixes, "; "); got != row.want {
				t.Errorf("%v: fixes %s, want %s", rep.Findings, got, row.want)
			}
		})
	}
}

// TestFixesOfKeysOfIDS: two valid IDs that contradict each other stay, whatever members and images say, unless the user
// prefers content sets. A key of the wrong length becomes the ID that all content sets in its value have.
func TestFixesOfKeysOfIDS(t *testing.T) {
	const x = "<9dd4e461268c8034f5c8564e155c67a6>" // the MD5 of the image
	const long = "(a0a1a2a3a4)"
	two := func(key, five, seven, eight string) string {
		return "names: << /IDS << /Names [ " + key + " [ 5 0 R 7 0 R ] ] >> >>\n5 0 obj << /S /SPS " + five +
			" /O [ 6 0 R ]" + fromA + " >>\n6 0 obj << /Type /Page /ID " + idB + " >>\n" +
			"7 0 obj << /S /SPS " + seven + " /O [ 8 0 R ]" + fromA + " >>\n8 0 obj << /Type /Page " + eight + " >>\n"
	}
	one := func(key, page string) string {
		return "names: << /IDS << /Names [ " + key + " 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID " + idB + " /O [ 6 0 R ]" + fromA +
			" >>\n6 0 obj << /Type /Page " + page + " >>\n"
	}
	image := "names: << /IDS << /Names [ " + x + " 5 0 R ] >> >>\n5 0 obj << /S /SIS /ID " + idB + " /O [ 8 0 R ]" + fromA +
		" >>\n8 0 obj << /Subtype /Image /Filter /DCTDecode >> stream\nx\nendstream\n"
	checkFixes(t, []fixRow{
		{"members agree with the set", "WC302", one(idA, "/ID "+idB), 0, "none"},
		{"members agree with the key", "WC302", one(idA, "/ID "+idA), 0, "none"},
		{"the MD5 of the image is the key", "WC302", image, 0, "none"},
		{"the MD5 of the image is the key, and there is a choice of keys", "WC302", image, rule.Keys, "none"},
		{"a choice of sets", "WC302", one(idA, ""), rule.Sets, "change-key " + idA + " to " + idB + ", chosen"},
		{"a choice of sets, for one of two", "WC302", two(idA, "/ID "+idA, "/ID "+idB, ""), rule.Sets,
			"change-key " + idA + " to " + idB + ", content set 7 0 R, chosen"},
		{"a long key", "WC301", one(long, "/ID "+idB), 0, "change-key " + long + " to " + idB},
		{"a long key, and members with another ID", "WC301", one(long, "/ID "+idA), 0, "none"},
		{"a long key, members with another ID, and a choice of sets", "WC301", one(long, "/ID "+idA), rule.Sets,
			"change-key " + long + " to " + idB + ", chosen"},
		{"a long key of a set without ID, and of a set", "WC301", two(long, "", "/ID "+idA, "/ID "+idA), 0, "none"},
		{"a long key of sets of one ID", "WC301", two(long, "/ID "+idB, "/ID "+idB, ""), 0, "none"},
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
			"change-key (http://x.example/) to (http://a.example/), chosen"},
		{"a URL and a redirect, for keys", "WC221", from("(http://x.example/) 5 0 R", redirected), rule.Keys,
			"change-source (http://a.example/) to (http://x.example/)" + chosen},
		{"a key that is a redirect, and a wrong key, for keys", "WC221",
			from("(http://r.example/) 5 0 R (http://x.example/) 5 0 R", redirected), rule.Keys,
			"change-source (http://a.example/) to (http://x.example/)" + chosen},
		{"a redirect to nothing, and a URL, for sets", "WC221", from("(http://x.example/) 5 0 R", nameless), rule.Sets,
			"change-key (http://x.example/) to (http://a.example/), chosen"},
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
