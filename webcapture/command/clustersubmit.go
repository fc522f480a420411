package command

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

func (p *program) clusterSubmit() *cli.Command {
	return &cli.Command{
		Name:      "cluster submit",
		Usage:     "Submit an audit to a queue",
		UsageText: "webcap cluster submit [OPTIONS] PATH...",
		Description: `Prints the ID of the job. A PATH is a path of webcap audit, except standard
input; workers need the files under the same names. To resume an interrupted
submission or to add files, use --job in the same folder.

  webcap cluster submit /archive/pdfs
  find /archive -name '*.pdf' -print0 | webcap cluster submit -0 --files-from -

` + details(queueDetails),
		Flags: slices.Concat(accessFlags(), grouped(manual.Input,
			&cli.StringFlag{Name: "job", DefaultText: "a new job", Usage: "`ID` Resume this job, or add to it"},
		), grouped(manual.Audit, append(inputFlags(), timeoutFlag())...),
			jobFlags(), grouped(manual.General, switchFlag("verbose", "List skipped files", "v"))),
		Action: p.runSubmit,
	}
}

func (p *program) runSubmit(c *cli.Context) error {
	paths, err := p.paths(c, c.Args().Slice())
	if err != nil {
		return err
	}
	defer paths.close()
	if slices.Contains(paths.arguments, batch.Stdin) {
		return usagef(c.Command.Name, "workers cannot read standard input; name files")
	}
	head, _, src, err := p.jobHead(c)
	if err != nil {
		return err
	}
	src.all.Close()
	if head.Directory, err = os.Getwd(); err != nil {
		return err
	}
	id := c.String("job")
	err = p.atQueue(c, func(q *cluster.Queue) (err error) {
		if id == "" {
			if id, err = q.Create(c.Context, head); err != nil {
				return err
			}
		}
		p.noteDone("job %s is not complete; run webcap cluster submit --job %s PATH…", id, id)
		return q.Submit(c.Context, id, head, func(yield func(*batch.Input, error) bool) {
			err := p.printf("%s\n", id) // now the job is checked
			if err = cmp.Or(err, p.stdout.Flush()); err != nil {
				yield(nil, cannotWrite(err))
				return
			}
			for in := range p.inputs(c, paths) {
				if !yield(in, nil) {
					return
				}
			}
			if err := paths.err(); err != nil {
				yield(nil, fmt.Errorf("cannot read the list of files: %w", err))
			}
		})
	})
	if err == nil {
		p.saySkipped(c)
	}
	return err
}
