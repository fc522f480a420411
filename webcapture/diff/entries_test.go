package diff_test

import (
	"fmt"
	"strings"
	"testing"
)

// nested returns an array within n-1 arrays.
func nested(n int, inner string) string {
	return strings.Repeat("[ ", n) + inner + strings.Repeat(" ]", n)
}

// TestEntries: which values of an entry of a content set are the same, and how they are described.
func TestEntries(t *testing.T) {
	r := func(a, b, text string) pairCase {
		if text != "" {
			text = "changed " + setB + ", R: " + text + "\n"
		}
		return pairCase{"R " + a + " and " + b, []string{"/R [ 1 ]", "/R " + a}, []string{"/R " + a, "/R " + b}, text}
	}
	ct := func(a, b, text string) pairCase {
		if text != "" {
			text = "changed " + setA + ", CT: " + text + "\n"
		}
		return pairCase{"CT " + a + " and " + b, []string{"/CT (text/html)", "/CT " + a}, []string{"/CT " + a, "/CT " + b},
			text}
	}
	testPairs(t, []pairCase{
		r("[1]", "1", ""),
		r("[ 1 2 ]", "[ 1 2 ]  ", ""),
		r("[ 1 2 ]", "[ 2 ]", "[ 1 2 ] | [ 2 ]"),
		r("[ 1 2 ]", "[ 1 3 ]", "[ 1 2 ] | [ 1 3 ]"),
		r("[ [ 1 ] 2 ]", "[ [ 1 2 ] ]", "[ array 2 ] | [ array ]"),
		r("[1 2 3 4 5 6 7 8]", "[1 2 3 4 5 6 7 9]", "[ 1 2 3 4 5 6 7 8 ] | [ 1 2 3 4 5 6 7 9 ]"),
		r("[1 2 3 4 5 6 7 8]", "[1 2 3 4 5 6 7 8 9]", "[ 1 2 3 4 5 6 7 8 ] | [ 1 2 3 4 5 6 7 8 … ]"),
		r("[ 1 99 0 R ]", "[ 1 null ]", ""),
		r("[ 1 99 0 R ]", "[ 1 ]", "[ 1 null ] | [ 1 ]"),
		r("[ 1 16 0 R ]", "[ 1 15 0 R ]", "[ 1 dictionary ] | [ 1 dictionary ]"),
		r("2.50", "+2.5", ""),
		r("2.5", "2.6", "2.5 | 2.6"),
		r("0", "-0.0", ""),
		r("1.2.3", "1.2.4", "1.2.3 | 1.2.4"), // not numbers
		r("true", "false", "true | false"),
		r("1", "true", "1 | true"),
		ct("(text/html)", "<746578742F68746D6C>", ""),
		ct("(a)", "<62>", "(a) | (b)"),
		ct("(a)", "/a", "(a) | /a"),
		ct("/a", "/b", "/a | /b"),
		ct("/a", "/#61", ""),
		ct("(a)", "[ (a) ]", `(a) | [ (a) ]`),
		ct("<< /A << /B 1 >> /C 2 >>", "<< /A << /B 1 /C 2 >> >>", "dictionary | dictionary"),
		ct("[ [ 1 ] 2 ]", "[ [ 1 2 ] ]", "[ array 2 ] | [ array ]"),
		ct("<< /A 1 /B 2 >>", "<< /B 2 /A 1 >>", ""),
		ct("<< /A 1 /B null >>", "<< /A 1 >>", ""),
		ct("<< /A 1 >>", "<< /B 1 >>", "dictionary | dictionary"),
		ct(nested(32, ""), nested(31, ""), "[ array ] | [ array ]"),
		{"lost, as a reference to nothing", nil, []string{"/CT (text/html)", "/CT 99 0 R"},
			"lost " + setA + ", CT: (text/html) | \n"},
	})
}

// TestNesting: values that nest too deeply are not compared.
func TestNesting(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		whole       bool
	}{
		// the value is within two dictionaries
		{"30 arrays", nested(30, ""), true},
		{"31 arrays", nested(31, ""), false},
		{"30 dictionaries", strings.Repeat("<< /A ", 29) + "<< >>" + strings.Repeat(" >>", 29), true},
		{"31 dictionaries", strings.Repeat("<< /A ", 30) + "<< >>" + strings.Repeat(" >>", 30), false},
		{"a loop of dictionaries", "<< /A 30 0 R >>", false},
		{"a loop of arrays", "[ 30 0 R ]", false},
		{"one MB", "[ " + strings.Repeat("31 0 R ", 5) + "]", true},
		{"two MB", "[ " + strings.Repeat("31 0 R ", 11) + "]", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			objects := fmt.Sprintf("30 0 obj %s\n31 0 obj (%s)", tt.value, strings.Repeat("x", 200_000))
			data := edited(t, append(more(objects), "/X true", "/X 30 0 R")...)
			if res := compare(t, data, data); res.Whole() != tt.whole || len(res.Changes) > 0 {
				t.Errorf("whole %v, want %v:\n%s", res.Whole(), tt.whole, text(res))
			}
		})
	}
}

// TestSources: sources are compared in no order. Defaults count as if they were written.
func TestSources(t *testing.T) {
	const sources = "<< /AU (http://a.example/) /TS (D:2001) /C 15 0 R >> << /AU (http://m.example/) >>"
	const source = "changed " + setA + ", source "
	redirects := func(n int) string {
		s := "/C [ ["
		for i := range n {
			s += fmt.Sprintf(" (http://%d.example/)", i)
		}
		return s + " ] ]"
	}
	const alias = "/C [ [ (http://d.example/) ] ]"
	testPairs(t, []pairCase{
		{"two change, and one is lost", []string{sources, sources + " << /AU (http://n.example/) >>"},
			[]string{"(D:2001)", "(D:2002)", "(http://m.example/) >>", "(http://m.example/) /E (D:2003) >>",
				" << /AU (http://n.example/) >>", ""},
			source + "(http://a.example/), TS: (D:2001) | (D:2002)\n" +
				"added " + setA + ", source (http://m.example/), E:  | (D:2003)\n" +
				"lost " + setA + ", source (http://n.example/):  | \n"},
		{"the same one twice", []string{sources, sources + " << /AU (http://m.example/) >>"},
			[]string{sources + " << /AU (http://m.example/) >>", sources},
			"lost " + setA + ", source (http://m.example/):  | \n"},
		{"the same URL twice", []string{sources, sources + " << /AU (http://m.example/) /TS (D:2003) >>"},
			[]string{"(D:2003)", "(D:2004)", "(http://m.example/) >>", "(http://m.example/) /TS (D:2005) >>"},
			"added " + setA + ", source (http://m.example/), TS:  | (D:2005)\n" +
				source + "(http://m.example/), TS: (D:2003) | (D:2004)\n"},
		{"no submission, as the default", nil, []string{"(http://m.example/) >>", "(http://m.example/) /S 0 >>"}, ""},
		{"a submission", nil, []string{"(http://m.example/) >>", "(http://m.example/) /S 1 >>"},
			"added " + setA + ", source (http://m.example/), S:  | 1\n"},
		{"two submissions", []string{"(http://m.example/) >>", "(http://m.example/) /S 1 >>"}, []string{"/S 1", "/S 2"},
			source + "(http://m.example/), S: 1 | 2\n"},
		{"a command is lost", nil, []string{"(D:2001) /C 15 0 R", "(D:2001)"},
			"lost " + setA + ", source (http://a.example/), C: dictionary | \n"},
		{"two commands of their own", []string{"(D:2001) /C 15 0 R", "(D:2001) /C << /URL (x) >>", "(http://m.example/) >>",
			"(http://m.example/) /C << /URL (y) >> >>"}, []string{"/C << /URL (y) >>", "/C << /URL (x) >>"},
			source + "(http://m.example/), C: dictionary | dictionary\n"},
		{"a command of its own next to a reference to nothing", []string{"(D:2001) /C 15 0 R", "(D:2001) /C 0 0 R",
			"(http://m.example/) >>", "(http://m.example/) /C << /URL (y) >> >>"}, []string{"/URL (y)", "/URL (x)"},
			source + "(http://m.example/), C: dictionary | dictionary\n"},
		{"three redirects", []string{alias, redirects(2)}, []string{redirects(2), redirects(3)},
			"changed " + setC +
				", source (http://c.example/), AU: (http://c.example/) by way of (http://0.example/) by way of " +
				"(http://1.example/) | (http://c.example/) by way of (http://0.example/) by way of (http://1.example/) by way of " +
				"(http://2.example/)\n"},
		{"more redirects", []string{alias, redirects(4)}, []string{redirects(4), redirects(5)},
			"changed " + setC +
				", source (http://c.example/), AU: (http://c.example/) by way of (http://0.example/) by way of " +
				"(http://1.example/) by way of (http://2.example/) and 1 more | (http://c.example/) by way of " +
				"(http://0.example/) by way of (http://1.example/) by way of (http://2.example/) and 2 more\n"},
		{"another order without an ID", []string{"/S /SPS /ID " + idA, "/S /SPS"},
			[]string{sources, "<< /AU (http://m.example/) >> << /AU (http://a.example/) /TS (D:2001) /C 15 0 R >>"}, ""},
	})
}

// TestCommands: commands of SpiderInfo are compared in order; those with the same content are pairs, then those with
// the same URL.
func TestCommands(t *testing.T) {
	list := func(commands string) string {
		var b strings.Builder
		for _, c := range commands {
			fmt.Fprintf(&b, "<< /URL (%c) >> ", c)
		}
		return "/C [ " + b.String() + "]"
	}
	const stored = "/C [ 15 0 R 16 0 R ]"
	const info = "SpiderInfo, command "
	var cases []pairCase
	for _, tt := range []struct{ a, b, want string }{
		{"aab", "aab", ""},
		{"aab", "aba", "changed SpiderInfo, C: (a) (a) (b) | (a) (b) (a)\n"},
		{"aabc", "abca", "changed SpiderInfo, C: (a) (a) (b) and 1 more | (a) (b) (c) and 1 more\n"},
		{"aabc", "abc", "lost " + info + "(a):  | \n"},
		{"aaab", "acab", "lost " + info + "(a):  | \nadded " + info + "(c):  | \n"},
		{"abcd", "aecf", "lost " + info + "(b):  | \nlost " + info + "(d):  | \nadded " + info + "(e):  | \nadded " +
			info + "(f):  | \n"},
		{"", "a", "added " + info + "(a):  | \n"},
	} {
		cases = append(cases, pairCase{tt.a + " and " + tt.b, []string{stored, list(tt.a)}, []string{list(tt.a),
			list(tt.b)}, tt.want})
	}
	edits := func(name, a, b, want string) {
		const second = "16 0 obj << /URL (http://c.example/)"
		cases = append(cases, pairCase{name, []string{second, second + a}, []string{second + a, second + b}, want})
	}
	edits("default of F", "", " /F 0", "")
	edits("default of L", "", " /L 1.0", "")
	edits("another F", "", " /F 1", "added "+info+"(http://c.example/), F:  | 1\n")
	edits("another L", " /L 2", " /L 3", "changed "+info+"(http://c.example/), L: 2 | 3\n")
	edits("no L", " /L 2", "", "lost "+info+"(http://c.example/), L: 2 | \n")
	edits("null for L", " /L null", " /L 1", "")
	edits("posted data", " /P (a)", " /P (b)", "changed "+info+"(http://c.example/), P: (a) | (b)\n")
	edits("two entries", " /P (a) /CT (x)", " /P (b) /CT (y)", "changed "+info+"(http://c.example/), CT: (x) | (y)\n"+
		"changed "+info+"(http://c.example/), P: (a) | (b)\n")
	cases = append(cases, pairCase{"SpiderInfo is direct and another V", nil, []string{"/V 1.25", "/V 1.250"}, ""},
		pairCase{"SpiderInfo without V", nil, []string{"/V 1.25", ""}, "lost SpiderInfo, V: 1.25 | \n"})
	testPairs(t, cases)
}
