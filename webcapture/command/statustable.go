package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// statusTable writes the status s of a queue for people. Rates of jobs are computed from the difference to earlier,
// which may be s itself. A width of 0 means a file, in which lines are not broken.
func statusTable(w io.Writer, width int, earlier, s *cluster.Status) error {
	b := layout.NewSheet(w, width, false)
	if len(s.Jobs) == 0 {
		b.Text("no jobs\n")
	} else {
		rows := [][]string{{"JOB", "STATE", "CHUNKS", "DONE", "IN WORK", "INPUTS", ""}}
		for i := range s.Jobs {
			rows = append(rows, jobRow(earlier, s, &s.Jobs[i]))
		}
		b.Columns(rows)
	}
	if len(s.Workers) > 0 {
		b.Text("\n")
		rows := [][]string{{"WORKER", "SEEN", "INPUTS", "RATE", "VERSION"}}
		for _, k := range s.Workers {
			rate := fmt.Sprintf("%.0f/s", float64(k.Inputs)/max(k.Seen.Sub(k.Since).Seconds(), 1))
			rows = append(rows, []string{layout.Printable(k.Name), ago(s.Time, k.Seen), strconv.Itoa(k.Inputs), rate,
				k.Version})
		}
		b.Columns(rows)
	}
	for i := range s.Jobs {
		for _, name := range s.Jobs[i].Poison {
			b.Text("\n")
			b.Headline(s.Jobs[i].Name, "skipped, it crashed workers: "+layout.Printable(name))
		}
	}
	return b.Flush()
}

func jobRow(earlier, s *cluster.Status, j *cluster.JobStatus) []string {
	state, speed := j.State(), ""
	for _, e := range earlier.Jobs {
		took := s.Time.Sub(earlier.Time).Seconds()
		if done := j.Done - e.Done; e.Name == j.Name && done > 0 && took > 0 {
			perSecond := float64(done) / took
			speed = fmt.Sprintf("%.1f inputs/s", perSecond*float64(j.Inputs)/float64(max(j.Chunks, 1)))
			if left := j.Chunks - j.Done; left > 0 {
				speed += fmt.Sprintf(", %v left",
					time.Duration(float64(left)/perSecond*float64(time.Second)).Round(time.Second))
			}
		}
	}
	return []string{j.Name, state, strconv.Itoa(j.Chunks), strconv.Itoa(j.Done), strconv.Itoa(j.Taken),
		strconv.Itoa(j.Inputs), speed}
}

func ago(now, then time.Time) string {
	return fmt.Sprintf("%v ago", max(now.Sub(then), 0).Round(time.Second))
}

type jsonStatus struct {
	Schema  string       `json:"schema"`
	Tool    jsondoc.Tool `json:"tool"`
	Time    time.Time    `json:"time"`
	Jobs    []jsonJob    `json:"jobs"`
	Workers []jsonWorker `json:"workers"`
}

type jsonJob struct {
	Name   string    `json:"name"`
	Begun  time.Time `json:"begun"`
	State  string    `json:"state"`
	Inputs int       `json:"inputs"`
	Chunks int       `json:"chunks"`
	Done   int       `json:"done"`
	Taken  int       `json:"taken"`
	Bytes  int64     `json:"bytes"`
	Poison []string  `json:"poison"`
}

type jsonWorker struct {
	Name    string    `json:"name"`
	Version string    `json:"version"`
	Since   time.Time `json:"since"`
	Seen    time.Time `json:"seen"`
	Inputs  int       `json:"inputs"`
	Bytes   int64     `json:"bytes"`
}

// statusJSON writes the status of a queue as a JSON document.
func statusJSON(w io.Writer, version string, s *cluster.Status) error {
	out := jsonStatus{Schema: "webcap.cluster/1", Tool: jsondoc.ToolOf(version), Time: s.Time.UTC(), Jobs: []jsonJob{},
		Workers: []jsonWorker{}}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		poison := []string{}
		for _, name := range j.Poison {
			poison = append(poison, jsondoc.Text(name))
		}
		out.Jobs = append(out.Jobs, jsonJob{j.Name, j.Begun.UTC(), j.State(), j.Inputs, j.Chunks, j.Done, j.Taken,
			j.Bytes, poison})
	}
	for _, k := range s.Workers {
		out.Workers = append(out.Workers,
			jsonWorker{jsondoc.Text(k.Name), k.Version, k.Since.UTC(), k.Seen.UTC(), k.Inputs, k.Bytes})
	}
	return json.NewEncoder(w).Encode(out)
}
