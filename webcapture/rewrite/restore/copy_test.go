package restore

import (
	"strings"
	"testing"
)

// TestCopied: a restored content set gets copies of the objects of the original to which it refers.
func TestCopied(t *testing.T) {
	nested := func(n int, inner string) string { return strings.Repeat("[", n) + inner + strings.Repeat("]", n) }
	for name, c := range map[string]struct{ private, want string }{
		"direct values":         {"[ 1 << /A (x) >> /N ]", "[1 <</A (x)>> /N]"},
		"a reference":           {"60 0 R", "13 0 R"},
		"an object twice":       {"[ 60 0 R 60 0 R ]", "[13 0 R 13 0 R]"},
		"a page of the file":    {"10 0 R", "5 0 R"},
		"an image of the file":  {"[ 12 0 R ]", "[7 0 R]"},
		"a page that is gone":   {"[ 11 0 R ]", "[null]"},
		"the page tree":         {"[ 68 0 R ]", "[null]"},
		"nothing":               {"[ 99 0 R ]", "[null]"},
		"a stream":              {"61 0 R", "(posted)"},
		"references in a cycle": {"62 0 R", "13 0 R"},
		"a command":             {"41 0 R", "12 0 R"},
		"too deep":              {nested(maxDepth, "1"), nested(maxDepth, "null")},
		"deep":                  {nested(maxDepth-1, "1"), nested(maxDepth-1, "1")},
	} {
		t.Run(name, func(t *testing.T) {
			const objects = `60 0 obj << /B 67 0 R >>
61 0 obj << >>
stream
posted
endstream
62 0 obj [ 63 0 R ]
63 0 obj [ 62 0 R ]
67 0 obj 7
68 0 obj << /Type /Pages /Kids [ ] >>
`
			r := restored(t, parsed(t, capture+objects, "/T (title)", "/Private "+c.private, "/C 41 0 R", ""),
				parsed(t, bare, "0 1 0", "0 9 0", "9 0 R /Resources << /XObject << /I 7 0 R >> >>", "9 0 R"), nil)
			if len(r.Sets) != 2 {
				t.Fatalf("%d sets", len(r.Sets))
			}
			_, got, _ := strings.Cut(r.object(t, r.Sets[0].Num), "/Private ")
			if got, _, _ = strings.Cut(got, " /S /SPS"); got != c.want {
				t.Errorf("there is %s, want %s", got, c.want)
			}
			switch name {
			case "a reference", "an object twice":
				expect(t, "the copy", []string{r.object(t, 13), r.object(t, 14)}, "/B 14 0 R\n7")
			case "references in a cycle":
				expect(t, "the copies", []string{r.object(t, 13), r.object(t, 14)}, "[14 0 R]\n[13 0 R]")
			}
		})
	}
}
