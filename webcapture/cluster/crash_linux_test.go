package cluster_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An input that kills workers is skipped after two deaths. The other inputs of its chunk have their records.
func TestDeadlyInput(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	dir := addFiles(t, t.TempDir(), 0, 4)
	large := filepath.Join(dir, "in/aaz.pdf")
	if err := os.WriteFile(large, site(), 0o666); err != nil {
		t.Fatal(err)
	}
	os.Truncate(large, 128<<20) // so that it is mapped for long enough
	begin(t, dir, "audit", "in", "-o", "want.ndjson").ends(0)
	id := q.submit(dir, "--timeout", "5s")
	for deaths := 0; ; deaths++ {
		p := start(t, dir, []string{asWebcap + "=1", deadly + "=aaz.pdf"},
			append([]string{"cluster", "work", "--timeout", "5s", id}, q.access...)...)
		<-p.done
		if p.ProcessState.ExitCode() == 0 {
			if deaths != 4 || !strings.Contains(p.said.String(), "in/aaz.pdf") {
				t.Errorf("%d workers died, want 4; the last one says %q", deaths, p.said.String())
			}
			break
		}
		if deaths > 4 {
			t.Fatalf("workers die: %s", p.said.String())
		}
	}
	q.results(dir, id, failed)
	got, want := records(t, filepath.Join(dir, "got.ndjson")), records(t, filepath.Join(dir, "want.ndjson"))
	i := slices.IndexFunc(got, func(l string) bool { return strings.Contains(l, "in/aaz.pdf") })
	if i < 0 || !strings.Contains(got[i], `"outcome":"skipped","reason":"skipped after 2 worker crashes"`) {
		t.Fatalf("the records are %q", got)
	}
	if n := len(want) - 1; !slices.Equal(slices.Delete(got[:n:n], i, i+1), slices.Delete(want[:n:n], i, i+1)) {
		t.Errorf("the records are\n%s\nwant\n%s", strings.Join(got, ""), strings.Join(want, ""))
	}
}
