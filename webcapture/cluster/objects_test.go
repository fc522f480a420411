//go:build cloud

package cluster_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Workers read inputs in a store by their names there: objects, and members of archives that are objects. A missing
// one has a record with the error.
func TestObjects(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 5)
	pdf, err := os.ReadFile(filepath.Join(dir, "in", "aa.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"b.pdf", "a.pdf"} {
		w, _ := z.Create(name)
		w.Write(pdf)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "in", "more.zip"), b.Bytes())

	prefix := "file://" + filepath.Join(dir, "in") + "/"
	said, code := webcap(t, dir, "cluster", "submit", prefix, "--nats", m.url, "--chunk", "2")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	job := jobOf(t, said)
	if err := os.Remove(filepath.Join(dir, "in", "ac.pdf")); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir() // names in stores are absolute
	if said, code := webcap(t, elsewhere, "cluster", "work", job, "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	list, code := results(t, dir, m.url, job)
	if len(list) != 7 || code != failed {
		t.Fatalf("%d records, exit %d: %s", len(list), code, list)
	}
	for i, name := range []string{"aa.pdf", "ab.pdf", "ac.pdf", "ad.pdf", "ae.pdf", "more.zip!b.pdf",
		"more.zip!a.pdf"} {
		rec, outcome := string(list[i]), `"outcome":"clean"`
		if name == "ac.pdf" {
			outcome = `"outcome":"error"`
		}
		if !strings.Contains(rec, `"path":"`+prefix+name+`"`) || !strings.Contains(rec, outcome) {
			t.Errorf("record %d: %s, want %s: %s", i, rec, name, outcome)
		}
	}
}
