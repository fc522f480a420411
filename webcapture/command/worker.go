package command

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) worker() *cli.Command {
	return &cli.Command{
		Name:      "worker",
		Usage:     "Audit files named on standard input",
		UsageText: "webcap worker [OPTIONS]",
		Description: `Each line of standard input is a job: a JSON string, or {"path":"site.pdf"}. webcap
writes the NDJSON records of each job as soon as it is done. The exit code is 0
unless the worker itself fails.

  find archive -name '*.pdf' | jq -R . | webcap worker > results.ndjson

` + details("many-files.md#in-a-pipeline-webcap-worker"),
		Flags:  slices.Concat(workerFlags(), ruleFlags(), passwordFlags()),
		Action: p.runWorker,
	}
}

// workerFlags are the options of a run that a worker accepts.
func workerFlags() []cli.Flag {
	return limitFlags()
}

func (p *program) runWorker(c *cli.Context) error {
	if c.NArg() > 0 {
		return usagef("worker", "jobs come from standard input, not as arguments")
	}
	rules, err := selectRules(c)
	if err != nil {
		return err
	}
	passwords, err := p.filePasswords(c)
	if err != nil {
		return err
	}
	opt, err := runOptions(c, audit.Options{Passwords: passwords, Rules: rules})
	if err != nil {
		return err
	}
	opt.Timings = true
	jobs := jobReader{in: p.stdin}
	w := report.NDJSON.New(p.stdout, report.Options{Head: report.Head{Version: moduleVersion(), Rules: rules}})
	for rec := range batch.Run(c.Context, jobs.inputs(), opt) {
		if err := w.Add(rec); err != nil {
			return cannotWrite(err)
		}
		if err := p.stdout.Flush(); err != nil { // the process at the other end of the pipe waits for it
			return cannotWrite(err)
		}
	}
	if c.Context.Err() != nil {
		return errInterrupted
	}
	if err := w.Close(endIf(jobs.err == nil)); err != nil {
		return cannotWrite(err)
	}
	if jobs.err != nil {
		return fmt.Errorf("cannot read the jobs: %w", jobs.err)
	}
	return nil
}

// jobReader reads jobs, one per line.
type jobReader struct {
	in  io.Reader
	err error
}

// inputs yields the inputs of the jobs. A line that is not a valid job becomes an input with an error.
func (j *jobReader) inputs() iter.Seq[*batch.Input] {
	return func(yield func(*batch.Input) bool) {
		in := bufio.NewReaderSize(j.in, maxPath)
		for n := 1; ; n++ {
			line, err := in.ReadSlice('\n')
			if err == bufio.ErrBufferFull {
				err = fmt.Errorf("line %d is longer than %d bytes", n, maxPath)
			}
			if err != nil && err != io.EOF {
				j.err = err
				return
			}
			if len(trimmed(line, '\n')) > 0 && !job(line, n, yield) {
				return
			}
			if err == io.EOF {
				return
			}
		}
	}
}

// job yields the inputs of one job.
func job(line []byte, n int, yield func(*batch.Input) bool) bool {
	path, err := pathOf(line)
	if err != nil {
		return yield(&batch.Input{Name: fmt.Sprintf("line %d", n), Err: err})
	}
	for in := range batch.Inputs(func(yield func(string) bool) { yield(path) }, batch.PathOptions{Literal: true}) {
		if !yield(in) {
			return false
		}
	}
	return true
}

var errJob = errors.New(`not a job, such as {"path":"site.pdf"}`)

func pathOf(line []byte) (string, error) {
	if !utf8.Valid(line) {
		return "", errors.New("not a job: it is not UTF-8; give the path as pathHex, in hexadecimal")
	}
	var path string
	if json.Unmarshal(line, &path) != nil {
		var job struct{ Path, PathHex string }
		if json.Unmarshal(line, &job) != nil {
			return "", errJob
		}
		path = job.Path
		if job.PathHex != "" {
			b, err := hex.DecodeString(job.PathHex)
			if err != nil {
				return "", errors.New("not a job: its pathHex is not hexadecimal")
			}
			path = string(b)
		}
	}
	if path == "" || path == batch.Stdin {
		return "", errJob
	}
	return path, nil
}
