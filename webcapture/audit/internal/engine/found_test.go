package engine

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// The message about a cut list is right for any numbers.
func TestCounted(t *testing.T) {
	for _, tt := range []struct {
		findings, unread int
		want             string
	}{
		{0, 0, ""},
		{1, 0, "1 finding is only counted"},
		{2, 0, "2 findings are only counted"},
		{0, 1, "1 part that could not be checked is only counted"},
		{0, 2, "2 parts that could not be checked are only counted"},
		{1, 1, "1 finding and 1 part that could not be checked are only counted"},
		{2, 3, "2 findings and 3 parts that could not be checked are only counted"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			f := Found{omittedUnread: tt.unread}
			f.omit(&rule.Rule{}, tt.findings)
			if got := f.counted(); got != tt.want {
				t.Errorf("counted() = %q, want %q", got, tt.want)
			}
		})
	}
}
