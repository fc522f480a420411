package command

import (
	"fmt"
	"strings"
	"testing"
)

// Up to five missing parts of an audit are named.
func TestMissingParts(t *testing.T) {
	for _, tt := range []struct{ parts, want string }{
		{"", ""},
		{"1/1", ""},
		{"1/2 2/2", ""},
		{"2/2", "found 1 of 2 parts; missing: 1/2"},
		{"2/6", "found 1 of 6 parts; missing: 1/6, 3/6, 4/6, 5/6, 6/6"},
		{"2/7", "found 1 of 7 parts; missing: 1/7, 3/7, 4/7, 5/7, 6/7, …"},
		{"1/7 7/7", "found 2 of 7 parts; missing: 2/7, 3/7, 4/7, 5/7, 6/7"},
		{"x", `"x" is not a shard such as 1/4`},
	} {
		t.Run(tt.parts, func(t *testing.T) {
			one, _, _ := strings.Cut(tt.parts, " ")
			files := map[string]string{}
			for i, part := range strings.Fields(tt.parts) {
				files[part] = fmt.Sprint("file", i)
			}
			got := ""
			if err := missingParts(one, files); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
