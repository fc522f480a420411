package command

import (
	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

func (p *program) clusterServe() *cli.Command {
	return &cli.Command{
		Name:      "cluster serve",
		Usage:     "Run a queue server",
		UsageText: "webcap cluster serve --store FOLDER [OPTIONS]",
		Description: `webcap runs a NATS server with JetStream until an interrupt or SIGTERM. It listens
on loopback by default. To listen elsewhere, give a --config that says who may
connect.

  webcap cluster serve --store /var/lib/webcap
  webcap cluster serve --store /var/lib/webcap --config /etc/webcap/nats.conf

` + details("cluster.md#who-may-connect"),
		Flags: append(grouped(manual.Input,
			&cli.StringFlag{Name: "store", Usage: "`FOLDER` Folder in which the queue is kept"},
			&cli.StringFlag{Name: "listen", DefaultText: "127.0.0.1:4222",
				Usage: "`HOST:PORT` Address; port 0 for any free port"},
			&cli.StringFlag{Name: "config", Usage: "`FILE` Configuration of nats-server"},
		), metricsFlag()),
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
	return grouped(manual.Output, &cli.StringFlag{Name: "metrics",
		Usage: "`HOST:PORT` Address of Prometheus metrics"})[0]
}
