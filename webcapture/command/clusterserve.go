package command

import (
	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
)

func (p *program) clusterServe() *cli.Command {
	return &cli.Command{
		Name:      "cluster serve",
		Usage:     "be a server of a queue",
		UsageText: "webcap cluster serve --store FOLDER [--listen HOST:PORT] [--config FILE]",
		Description: `A server of NATS with JetStream, which keeps what it has in FOLDER, on the disk before
it answers. It listens on loopback, unless --listen or --config says otherwise; for
that, --config has to say who may connect, to each of its listeners. FILE is a configuration of nats-server:
users, accounts, TLS, and the other servers of a cluster stand there.

  webcap cluster serve --store /var/lib/webcap
  webcap cluster serve --store /var/lib/webcap --config /etc/webcap/nats.conf

It ends with an interrupt, or SIGTERM.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "store", Usage: "keep the queue in `FOLDER`"},
			&cli.StringFlag{Name: "listen", DefaultText: "127.0.0.1:4222",
				Usage: "listen on `HOST:PORT`; port 0 for any that is free"},
			&cli.StringFlag{Name: "config", Usage: "read `FILE`, a configuration of nats-server"},
			metricsFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			p.needsTime(longGrace)
			return cluster.Serve(c.Context,
				cluster.Server{Store: c.String("store"), Listen: c.String("listen"), Config: c.String("config"),
					Metrics: c.String("metrics"), Say: p.say})
		},
	}
}

func metricsFlag() cli.Flag {
	return &cli.StringFlag{Name: "metrics",
		Usage: "answer Prometheus at `HOST:PORT`, under /metrics; :PORT is on loopback"}
}
