package command

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

func (p *program) clusterStatus() *cli.Command {
	return &cli.Command{
		Name:        "cluster status",
		Usage:       "Show the jobs of a queue",
		UsageText:   "webcap cluster status [OPTIONS]",
		Description: "Shows the progress of each job.\n\n" + details(queueDetails),
		Flags:       slices.Concat(accessFlags(), formatFlags("table", "json")),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return p.atQueue(c, func(q *cluster.Queue) error {
				jobs, err := q.Status(c.Context)
				switch {
				case err != nil:
					return err
				case isJSON(c):
					err = statusJSON(p.stdout, moduleVersion(), jobs)
				default:
					err = statusTable(p.stdout, p.width, jobs)
				}
				if err == nil {
					err = p.stdout.Flush()
				}
				if err != nil {
					return cannotWrite(err)
				}
				return nil
			})
		},
	}
}

// statusTable writes the status of jobs for people. A width of 0 means a file, in which lines are not broken.
func statusTable(w io.Writer, width int, jobs []cluster.Status) error {
	b := layout.NewSheet(w, width, false)
	if len(jobs) == 0 {
		b.Text("no jobs\n")
		return b.Flush()
	}
	rows := [][]string{{"JOB", "STATE", "INPUTS", "CHUNKS", "WAITING", "IN WORK", "LABEL"}}
	for _, j := range jobs {
		rows = append(rows, []string{j.ID, j.State, strconv.Itoa(j.Inputs), strconv.Itoa(j.Chunks),
			strconv.Itoa(j.Waiting), strconv.Itoa(j.Taken), layout.Printable(j.Label)})
	}
	b.Columns(rows)
	return b.Flush()
}

// statusJSON writes the status of jobs as a JSON document.
func statusJSON(w io.Writer, version string, jobs []cluster.Status) error {
	return json.NewEncoder(w).Encode(struct {
		Schema string           `json:"schema"`
		Tool   jsondoc.Tool     `json:"tool"`
		Jobs   []cluster.Status `json:"jobs"`
	}{"webcap.cluster/2", jsondoc.ToolOf(version), append([]cluster.Status{}, jobs...)})
}
