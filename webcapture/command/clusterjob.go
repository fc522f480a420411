package command

import (
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// jobFlags are the options that affect the records of a job. The submitter and the workers must give the same
// values.
func jobFlags() []cli.Flag {
	shared := slices.Concat(sourceFlags(compareSources), ruleFlags(), passwordFlags())
	return grouped(manual.Audit, shared...)
}

// jobHead returns the head and the audit options of a job. The caller closes the sources.
func (p *program) jobHead(c *cli.Context) (head report.Head, how audit.Options, src *sources, err error) {
	if how.Rules, err = selectRules(c); err != nil {
		return
	}
	if how.Passwords, err = p.filePasswords(c); err != nil {
		return
	}
	if src, err = p.openSources(c, allOf(c, "source")); err != nil {
		return
	}
	how.Embedded = src.embedded
	if src.given {
		how.Source, how.SourceLost = src, src.lost
	}
	head = report.Head{Version: moduleVersion(), Sources: src.stats, Rules: how.Rules}
	head.Settings = settings(c, how)
	// The submitter alone decides which files to audit.
	head.Settings = slices.DeleteFunc(head.Settings, func(s string) bool { return s == "follow-links" })
	return
}

// settingFlags are the options of a run that affect records.
func settingFlags() []cli.Flag {
	return slices.DeleteFunc(runFlags(),
		func(f cli.Flag) bool { return f.Names()[0] != "timeout" })
}

// jobName returns the name of a job. It is a hash of the version, the working directory, the settings, the rules, and
// the paths.
func jobName(job cluster.Job, paths []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q", job.Head.Version, job.Directory, job.Head.Settings, paths)
	for _, r := range job.Head.Rules {
		io.WriteString(h, r.ID)
	}
	return fmt.Sprintf("audit-%x", h.Sum(nil)[:6])
}
