package cluster_test

import (
	"strings"
	"testing"
)

// Workers do not audit a canceled job, and its results are marked incomplete.
func TestCancelAndPurge(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 3)
	job := submit(t, dir, m.url)
	if said, code := webcap(t, dir, "cluster", "cancel", job, "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	if said, code := webcap(t, dir, "cluster", "work", job, "--nats", m.url); code != 0 {
		t.Errorf("exit %d: %s", code, said)
	}
	if list, code := results(t, dir, m.url, job); len(list) != 0 || code != failed {
		t.Errorf("%d records, exit %d", len(list), code)
	}
	if s := statusOf(t, dir, m.url); s.State != "cancelled" || s.Done != 0 {
		t.Errorf("%+v", s)
	}
	if said, code := webcap(t, dir, "cluster", "submit", "in", "--nats", m.url); code == 0 ||
		!strings.Contains(said, "cancelled") {
		t.Errorf("exit %d: %s", code, said)
	}
	if said, code := webcap(t, dir, "cluster", "purge", job, "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	if said, code := webcap(t, dir, "cluster", "results", job, "--nats", m.url); code != 2 ||
		!strings.Contains(said, "there is no job") {
		t.Errorf("exit %d: %s", code, said)
	}
	submit(t, dir, m.url)
}
