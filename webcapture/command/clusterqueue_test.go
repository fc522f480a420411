package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// startQueue runs a queue server until the end of the test, and returns its address.
func startQueue(t *testing.T) (address string) {
	t.Helper()
	shown, store := newScreen(), t.TempDir() // created first, so that it is removed after the end of the server
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	p := &program{stdout: bufio.NewWriter(io.Discard), stderr: shown}
	go func() {
		ended <- p.run(ctx, []string{"webcap", "cluster", "serve", "--store", store, "--listen", "127.0.0.1:0"})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	shown.await("\n")
	m := regexp.MustCompile(`^webcap: listening on (\S+)\n`).FindStringSubmatch(shown.String())
	if m == nil {
		t.Fatalf("the server says %q", shown)
	}
	return m[1]
}

// A job goes through all commands of a queue. Its results are those of an audit.
func TestJobInAQueue(t *testing.T) {
	nats := startQueue(t)
	t.Chdir(t.TempDir())
	site := webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	for _, name := range []string{"a.pdf", "b.pdf", "c.pdf"} {
		if err := os.WriteFile(name, site, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var audited bytes.Buffer
	if code, stderr := run(nil, &audited, "audit", "a.pdf", "b.pdf", "c.pdf"); code != exitClean {
		t.Fatal(stderr)
	}
	does := func(command string, wantCode int) string {
		t.Helper()
		args := strings.Fields("cluster " + command)
		var out bytes.Buffer
		code, stderr := run(nil, &out, append(args[:2:2], append([]string{"--nats", nats}, args[2:]...)...)...)
		if code != wantCode || (stderr == "") != (code == exitClean) {
			t.Errorf("%s: exit %d, want %d; it says %q", command, code, wantCode, stderr)
		}
		return out.String()
	}
	status := func() (jobs []jsonJob) {
		var doc jsonStatus
		if err := json.Unmarshal([]byte(does("status -f json", exitClean)), &doc); err != nil {
			t.Fatal(err)
		}
		return doc.Jobs
	}
	if text := does("status", exitClean); text != "no jobs\n" {
		t.Errorf("without jobs: %q", text)
	}
	for range 2 { // the second time, it is the same job
		if name := does("submit --job one --chunk 2 a.pdf b.pdf c.pdf", exitClean); name != "one\n" {
			t.Errorf("submitted as %q", name)
		}
	}
	if jobs := status(); len(jobs) != 1 || jobs[0].Inputs != 3 || jobs[0].Chunks != 2 || jobs[0].State != "waiting" {
		t.Errorf("submitted: %+v", jobs)
	}
	does("submit --job one --only urls a.pdf", exitUsage)
	does("work gone", exitUsage)
	does("work one", exitClean)
	if jobs := status(); len(jobs) != 1 || jobs[0].Done != 2 || jobs[0].State != "done" {
		t.Errorf("done: %+v", jobs)
	}
	if got := does("results one", exitClean); got != audited.String() {
		t.Errorf("results\n%swant\n%s", got, audited.String())
	}
	name := strings.TrimSpace(does("submit a.pdf", exitClean))
	if again := does("submit a.pdf", exitClean); again != name+"\n" || !strings.HasPrefix(name, "audit-") {
		t.Errorf("the jobs are %q and %q", name, again)
	}
	if other := does("submit b.pdf", exitClean); other == name+"\n" {
		t.Errorf("another job has the name %q", other)
	}
	does("cancel "+name, exitClean)
	for _, j := range status() {
		if (j.Name == name) != (j.State == "cancelled") {
			t.Errorf("cancelled: %+v", j)
		}
	}
	does("purge "+name, exitClean)
	if jobs := status(); len(jobs) != 2 {
		t.Errorf("%d jobs are left, want 2", len(jobs))
	}
	for _, command := range []string{"results gone", "cancel gone", "purge gone"} {
		does(command, exitUsage)
	}
}
