//go:build unix

package cluster_test

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// A job is removed while a worker is stopped with a chunk, a reader waits for its result, and a submitter is half-way.
// Then the same files are submitted again. No record of the removed job gets into the new one, and each process of the
// removed job ends with one line.
func TestRemovedJob(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	dir := someFiles(t, 600) // enough for a look at a worker that is not done
	list, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Close()
	// Audits with a rule less would have other records.
	old := q.submit(dir, "--disable", "urls")
	q.begin(dir, "status").ends(0) // makes the consumer
	consumer, err := q.jetStream().Consumer(t.Context(), "WEBCAP_JOB_"+old, "w")
	if err != nil {
		t.Fatal(err)
	}
	worker := q.begin(dir, "work", "--disable", "urls", "-j", "1", old)
	waitFor(t, "a chunk is in work", func() bool {
		info, err := consumer.Info(t.Context())
		return err == nil && info.NumAckPending > 0
	})
	worker.Process.Signal(syscall.SIGSTOP)
	open := newProcess(t, dir, []string{asWebcap + "=1"},
		append([]string{"cluster", "submit", "--files-from", "-"}, q.access...)...)
	open.Stdin = list
	open.start()
	list.Close()
	waitFor(t, "a job is open", func() bool { return idOf(open) != "" })
	writeLines(t, feed, dir, 0, 25)
	opened := idOf(open)
	reader := q.begin(dir, "results", opened)
	waitFor(t, "the reader waits", func() bool { return strings.Contains(reader.said.String(), "webcap: waiting: ") })
	for _, id := range []string{old, opened} {
		q.begin(dir, "rm", id).ends(0)
	}
	gone := "webcap: job " + opened + " no longer exists\n"
	if said := reader.ends(failed); strings.Count(said, gone) != 1 {
		t.Errorf("the reader says %q", said)
	}
	writeLines(t, feed, dir, 25, 50)
	feed.Close()
	if said := open.ends(failed); strings.Count(said, "webcap: ") != 1 || !strings.Contains(said, gone) {
		t.Errorf("the submitter says %q", said)
	}
	again := q.submit(dir)
	if again == old || again == opened {
		t.Fatalf("the ID %s is used again", again)
	}
	worker.Process.Signal(syscall.SIGCONT)
	q.begin(dir, "work", again).ends(0)
	q.results(dir, again, 0)
	sameRecords(t, filepath.Join(dir, "got.ndjson"), filepath.Join(dir, "want.ndjson"))
	if said := worker.ends(failed); strings.Count(said, "\n") != 1 ||
		!strings.Contains(said, "webcap: job "+old+" no longer exists\n") {
		t.Errorf("the old worker says %q", said)
	}
	said := q.begin(dir, "work", "--disable", "urls", again).ends(2)
	if !strings.Contains(said, "it has the rule WC201 (warning)") {
		t.Errorf("a worker with other rules says %q", said)
	}
}

// writeLines writes the paths of some files of a folder.
func writeLines(t *testing.T, w io.Writer, dir string, from, to int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "in/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names[from:to] {
		if _, err := io.WriteString(w, "in/"+filepath.Base(name)+"\n"); err != nil {
			t.Fatal(err)
		}
	}
}

// A worker that is interrupted leaves a chunk to other workers, and finishes a single input. It ends with 3.
func TestInterruptedWorker(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	dir := addFiles(t, t.TempDir(), 0, 30)
	begin(t, dir, "audit", "in", "-o", "want.ndjson").ends(0)
	id := q.submit(dir)
	inWork := regexp.MustCompile(id + ` +submitted +[0-9]+ +[0-9]+ +[1-9]`)
	for i := range 6 {
		worker := q.begin(dir, "work", "-j", "1", id)
		waitFor(t, "the worker takes a chunk", func() bool {
			return worker.isOver() || inWork.MatchString(q.begin(dir, "status").ends(0))
		})
		worker.Process.Signal([]os.Signal{syscall.SIGTERM, os.Interrupt}[i%2])
		<-worker.done
		const said = "webcap: interrupted, webcap cluster work did not complete\n"
		switch code := worker.ProcessState.ExitCode(); {
		case code == 0 && worker.said.String() == "": // the job was done before the signal
		case code == -1: // the last worker had the chunk, and this one was about to start, or it was about to end
		case code != failed || worker.said.String() != said:
			t.Errorf("exit %d: %q, want %q", code, worker.said.String(), said)
		}
	}
	q.begin(dir, "work", id).ends(0)
	q.results(dir, id, 0)
	sameRecords(t, filepath.Join(dir, "got.ndjson"), filepath.Join(dir, "want.ndjson"))
}
