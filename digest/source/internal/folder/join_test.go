package folder

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/join"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

func TestJoin(t *testing.T) {
	a := opened(t, filepath.Dir(filepath.Dir(sourcetest.WriteFile(t, "a", t.TempDir(), "h", "x"))))
	dir := t.TempDir()
	sourcetest.WriteFile(t, "b", dir, "h", "x")
	list := sourcetest.WriteFile(t, "http://h/x\th/x\nhttp://h/y\th/y\n", dir, "list")
	b := opened(t, list)
	both := join.Sources(a, b, opened(t, list))
	var got []string
	for _, c := range sourcetest.Lookup(t, both, "http://h/x") {
		got = append(got, sourcetest.MustRead(t, c.Bodies[0]))
	}
	sourcetest.Equal(t, "joined", got, []string{"a", "b", "b"})
	for c := range both.Lookup("http://h/x") {
		if got := sourcetest.MustRead(t, c.Bodies[0]); got != "a" {
			t.Errorf("first is %q", got)
		}
		break
	}
	stats := both.Stats()
	if stats.Files != 3 || stats.Kept != 3 || len(stats.Skipped) != 1 || stats.Skipped[0].Count != 2 ||
		!strings.HasPrefix(stats.Skipped[0].First, list) {
		t.Errorf("Stats() = %+v", stats)
	}
	if err := both.Close(); err != nil {
		t.Errorf("Close() = %v", err)
	}
	if _, err := a.(*folder).root.Stat("."); err == nil {
		t.Error("a is open still")
	}
}
