package command

import (
	"strings"

	"github.com/xrash/smetrics"
)

// synonyms maps commands and options of other tools to those of webcap.
var synonyms = map[string]string{
	"check": "audit", "lint": "audit", "scan": "audit", "validate": "audit", "verify": "audit",
	"fix": "rewrite", "repair": "rewrite", "search": "find", "compare": "diff",
	"version": "--version", "select": "only", "ignore": "disable", "out": "output",
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

// near reports whether typed is the start of a word, or similar to it.
func near(word, typed string) bool {
	word, typed = strings.ToLower(word), strings.ToLower(typed)
	return len(typed) >= 2 && strings.HasPrefix(word, typed) || smetrics.JaroWinkler(word, typed, 0.7, 4) > 0.85
}
