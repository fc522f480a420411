package command

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/cluster"
)

// A status of all states, as text and as JSON.
func TestStatus(t *testing.T) {
	begun := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	jobs := []cluster.Status{
		{ID: "a1", Begun: begun, State: "being submitted"},
		{ID: "b2", Begun: begun, Label: "crawl\x1b", State: "working", Inputs: 700, Chunks: 2, Waiting: 1, Taken: 3,
			Bytes: 5},
	}
	var text, doc strings.Builder
	if err := errors.Join(statusTable(&text, 0, jobs), statusJSON(&doc, "v2", jobs)); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(text.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	const wantText = `JOB STATE INPUTS CHUNKS WAITING IN WORK LABEL
a1 being submitted 0 0 0 0
b2 working 700 2 1 3 crawl\x1b`
	if got := strings.Join(rows, "\n"); got != wantText {
		t.Errorf("%s\nwant\n%s", got, wantText)
	}
	const at = `"begun":"2030-01-02T03:04:05Z",`
	const wantJSON = `{"schema":"webcap.cluster/2","tool":{"name":"webcap","version":"v2"},"jobs":[` +
		`{"id":"a1","label":"",` + at + `"state":"being submitted","inputs":0,"chunks":0,"waiting":0,"taken":0,"bytes":0},` +
		`{"id":"b2","label":"crawl\u001b",` + at + `"state":"working","inputs":700,"chunks":2,"waiting":1,"taken":3,` +
		`"bytes":5}]}` + "\n"
	if doc.String() != wantJSON {
		t.Errorf("%s\nwant\n%s", doc.String(), wantJSON)
	}
}
