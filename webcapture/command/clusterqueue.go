package command

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

// accessFlags are the options for the address of the queue and access to it.
func accessFlags() []cli.Flag {
	return grouped(manual.Input,
		&cli.StringFlag{Name: "nats", Value: "nats://127.0.0.1:4222",
			Usage: "`URLS` Servers of the queue, comma-separated"},
		&cli.StringFlag{Name: "credentials", Usage: "`FILE` JWT credentials, NKey seed, or user:password"},
		&cli.StringFlag{Name: "tls-ca", Usage: "`FILE` Trusted certificates, instead of the system's"},
		&cli.StringFlag{Name: "tls-cert", Usage: "`FILE` Certificate of this client"},
		&cli.StringFlag{Name: "tls-key", Usage: "`FILE` Key of --tls-cert"},
	)
}

// atQueue connects to the queue and calls do.
func (p *program) atQueue(c *cli.Context, do func(*cluster.Queue) error) error {
	to := cluster.Access{URL: c.String("nats"), Credentials: c.String("credentials"), CA: c.String("tls-ca"),
		Cert: c.String("tls-cert"), Key: c.String("tls-key"), Say: p.say}
	if (to.Cert == "") != (to.Key == "") {
		return usagef(c.Command.Name, "--tls-cert and --tls-key belong together")
	}
	q, err := cluster.Dial(c.Context, to)
	switch {
	case err != nil && c.Context.Err() != nil: // an interrupt ends the wait for a server
		return p.interruption()
	case err != nil:
		return err
	}
	defer q.Close()
	return do(q)
}

// watchQueue is atQueue for commands whose regular end is an interrupt.
func (p *program) watchQueue(c *cli.Context, do func(*cluster.Queue) error) error {
	if err := p.atQueue(c, do); !errors.Is(err, errInterrupted) {
		return err
	}
	return nil
}

// ofJob rewrites an error about a job for the command line.
func (p *program) ofJob(c *cli.Context, name string, err error) error {
	switch {
	case c.Context.Err() != nil:
		return p.interruption()
	case errors.Is(err, cluster.ErrOther), errors.Is(err, cluster.ErrNoJob):
		return usagef(c.Command.Name, "%s: %v", name, err)
	}
	return err
}

func oneJob(c *cli.Context) (string, error) {
	if c.NArg() != 1 {
		return "", usagef(c.Command.Name, "name one job; webcap cluster status lists them")
	}
	return c.Args().First(), nil
}

// onJob returns the action of a command that needs the name of one job.
func (p *program) onJob(do func(*cluster.Queue, context.Context, string) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		name, err := oneJob(c)
		if err != nil {
			return err
		}
		return p.atQueue(c, func(q *cluster.Queue) error { return p.ofJob(c, name, do(q, c.Context, name)) })
	}
}

func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usagef(c.Command.Name, "takes no arguments")
	}
	return nil
}
