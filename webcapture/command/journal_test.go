package command

import (
	"errors"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// If only the end of the journal cannot be written, all inputs were read.
func TestJournalFails(t *testing.T) {
	for _, tt := range []struct {
		err  error // of a record
		want string
	}{
		{nil, "webcap: cannot write the journal: "},
		{&report.LineError{Line: 5, Reason: "is damaged"}, "webcap: --journal : line 5 is damaged, webcap skipped later " +
			"inputs; use a new journal, or keep the lines before it (head -n 4)\n"},
		{errors.New("disk full"), "webcap: cannot write the journal, webcap skipped later inputs: disk full\n"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			j, err := batch.OpenJournal(filepath.Join(t.TempDir(), "journal"), report.Head{})
			if err != nil {
				t.Fatal(err)
			}
			j.Close(false) // a second Close fails
			var said strings.Builder
			p := &program{stderr: &said}
			c := cli.NewContext(nil, flag.NewFlagSet("", flag.ContinueOnError), nil)
			if p.endRun(c, &auditRun{journal: j, err: tt.err}, nil, true); !p.partial {
				t.Error("the run does not count as incomplete")
			}
			if !strings.HasPrefix(said.String(), tt.want) {
				t.Errorf("it says %q, want %q", said.String(), tt.want)
			}
		})
	}
}
