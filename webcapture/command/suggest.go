package command

import "strings"

// synonyms maps commands and options of other tools to those of webcap.
var synonyms = map[string]string{
	"check": "audit", "lint": "audit", "scan": "audit", "validate": "audit", "verify": "audit",
	"fix": "rewrite", "repair": "rewrite", "search": "find", "compare": "diff",
	"select": "only", "ignore": "disable", "out": "output",
}

// didYouMean returns the end of an error about an unknown word: similar words, with prefix before each. It is "" if
// there are none.
func didYouMean(typed, prefix string, words []string) string {
	var likely []string
	for _, w := range words {
		if near(w, typed) || w == synonyms[typed] {
			likely = append(likely, prefix+w)
		}
	}
	if len(likely) == 0 {
		return ""
	}
	return ", did you mean " + strings.Join(likely, " or ") + "?"
}

// near reports whether two words differ only by a typo: one letter is added, missing, or wrong, two letters are
// exchanged, a hyphen is missing, or the end is missing.
func near(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	plain := strings.NewReplacer("-", "", "_", "")
	if len(b) >= 2 && strings.HasPrefix(a, b) || plain.Replace(a) == plain.Replace(b) {
		return true
	}
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	if len(a) == 0 || len(b) == 0 {
		return len(a)+len(b) == 1
	}
	return a[1:] == b || a == b[1:] || a[1:] == b[1:] ||
		len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}
