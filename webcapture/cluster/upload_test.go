package cluster_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/batch/batchtest"
)

// Workers that cannot read the files audit the uploaded contents, with the same results.
func TestUpload(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir, elsewhere := t.TempDir(), t.TempDir()
	batchtest.Write(t, filepath.Join(dir, "in"), 100, 1<<20)
	if said, code := webcap(t, dir, "audit", "in", "--output", "ndjson:want"); code != failed {
		t.Fatalf("exit %d: %s", code, said)
	}
	job := submit(t, dir, m.url, "--upload")
	if err := os.RemoveAll(filepath.Join(dir, "in")); err != nil {
		t.Fatal(err)
	}
	if said, code := webcap(t, elsewhere, "cluster", "work", job, "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	results(t, dir, m.url, job)
	sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
}

// If the contents arrive damaged, they are not audited.
func TestUploadIsChecked(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 1)
	job := submit(t, dir, m.url, "--upload")
	store, err := at(t, m.url).ObjectStore(t.Context(), "WEBCAP_FILES_"+job)
	if err != nil {
		t.Fatal(err)
	}
	list, err := store.List(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	if _, err := store.PutBytes(t.Context(), list[0].Name, []byte("%PDF-1.4 something else")); err != nil {
		t.Fatal(err)
	}
	if said, code := webcap(t, dir, "cluster", "work", job, "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	got, code := results(t, dir, m.url, job)
	if code != failed || len(got) != 1 || !strings.Contains(string(got[0]), "its contents arrived damaged") {
		t.Errorf("exit %d: %s", code, got)
	}
}
