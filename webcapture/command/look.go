package command

import (
	"fmt"
	"slices"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// lookFlags are the options of commands that show the contents of files.
func lookFlags() []cli.Flag {
	return slices.Concat(inputFlags(), limitFlags(), passwordFlags(),
		grouped(manual.General, switchFlag("verbose", "List skipped files", "v")))
}

// lookRun is the run of a command that shows the contents of files, such as webcap list.
type lookRun struct {
	p     *program
	c     *cli.Context
	paths *listedPaths
	opt   batch.Options
}

// lookAt prepares a run over paths. The caller closes the paths.
func (p *program) lookAt(c *cli.Context, arguments []string) (*lookRun, error) {
	paths, err := p.paths(c, arguments)
	if err != nil {
		return nil, err
	}
	r := &lookRun{p: p, c: c, paths: paths}
	passwords, err := p.passwords(c)
	if err == nil {
		r.opt, err = runOptions(c, audit.Options{Passwords: passwords})
	}
	if err != nil {
		paths.close()
		return nil, err
	}
	paths.saveMemory()
	p.watchProgress(&r.opt)
	return r, nil
}

// look calls read for each open file, on any goroutine, and then add for each input, in order, with the content that
// read returned for its file. If read returned an error, the content is zero. The error is that of add.
func look[T any](r *lookRun, read func(*webcapture.File) (T, *audit.Report, error),
	add func(*report.Record, T) error) error {
	var contents sync.Map // T by *audit.Report
	r.opt.Look = func(f *webcapture.File) (*audit.Report, error) {
		content, rep, err := read(f)
		if err == nil {
			contents.Store(rep, content)
		}
		return rep, err
	}
	r.p.seek(false)
	for rec := range r.p.over(batch.Run(r.c.Context, r.p.inputs(r.c, r.paths), r.opt)) {
		var content T
		if kept, ok := contents.LoadAndDelete(rec.Report); ok {
			content = kept.(T)
		} else if rec.Report != nil {
			return fmt.Errorf("%s: internal error: its contents are missing", rec.Path)
		}
		if err := add(rec, content); err != nil {
			return err
		}
	}
	return nil
}

// isComplete reports whether all inputs were read.
func (r *lookRun) isComplete() bool { return r.c.Context.Err() == nil && r.paths.err() == nil }

// end reports skipped files, and a list of paths that could not be read. written is the error of writing the results.
func (r *lookRun) end(written error) error {
	r.p.saySkipped(r.c)
	switch {
	case written != nil:
		return cannotWrite(written)
	case r.c.Context.Err() != nil:
		return r.p.interruption()
	case r.paths.err() != nil:
		r.p.partial = true
		r.p.say("cannot read the list of files: %v", r.paths.err())
	}
	return nil
}
