package command

import (
	"os"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// If the working directory is gone, its name is an error, and never an empty text in a configuration or a job.
func TestWorkingDirectoryIsGone(t *testing.T) {
	dir := t.TempDir() + "/gone"
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if folder, err := os.Getwd(); err == nil {
		t.Fatalf("the system still names %s", folder)
	}
	fails := func(what string, err error) {
		if err == nil || !strings.Contains(err.Error(), "getwd") {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, _, err := readConfig("", true, nil)
	fails("a configuration", err)
	withOptions(t, "cluster submit a.pdf", func(p *program, c *cli.Context) {
		_, err := p.submittedJob(c, &listedPaths{})
		fails("a job", err)
	})
	withOptions(t, "cluster run --store queue a.pdf", func(p *program, c *cli.Context) {
		_, err := headOf(c, report.Head{}, batch.Shard{}, audit.Options{})
		fails("the head of a run", err)
		r := new(auditRun)
		fails("a queue", p.openQueue(c, r, cluster.Job{}))
		if r.queue != nil {
			t.Error("a queue is open")
		}
		_, err = p.newAuditRun(c, &auditConfig{configuration: new(configuration), paths: new(listedPaths)}, new(sources))
		fails("a run", err)
	})
	// Without a journal or a queue, an audit does not need the name.
	withOptions(t, "audit a.pdf", func(_ *program, c *cli.Context) {
		if _, err := headOf(c, report.Head{}, batch.Shard{Count: 2}, audit.Options{}); err != nil {
			t.Errorf("an audit: %v", err)
		}
	})
}
