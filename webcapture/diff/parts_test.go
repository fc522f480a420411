package diff_test

import (
	"fmt"
	"strings"
	"testing"
)

// more is put before object 10 of base to add objects.
func more(objects string) []string { return []string{"\n10 0 obj", "\n" + objects + "\n10 0 obj"} }

// nested returns an array within n-1 arrays.
func nested(n int, inner string) string {
	return strings.Repeat("[ ", n) + inner + strings.Repeat(" ]", n)
}

// TestNesting: values that nest too deeply are not compared.
func TestNesting(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		whole       bool
	}{
		// the value is within three dictionaries
		{"29 arrays", nested(29, ""), true},
		{"30 arrays", nested(30, ""), false},
		{"29 dictionaries", strings.Repeat("<< /A ", 28) + "<< >>" + strings.Repeat(" >>", 28), true},
		{"30 dictionaries", strings.Repeat("<< /A ", 29) + "<< >>" + strings.Repeat(" >>", 29), false},
		{"a loop of dictionaries", "<< /A 30 0 R >>", false},
		{"a loop of arrays", "[ 30 0 R ]", false},
		{"two MB", "[ " + strings.Repeat("31 0 R ", 11) + "]", true},
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
