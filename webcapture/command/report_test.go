package command

import (
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/urfave/cli/v2"
)

// endlessFinding reads as results whose only record has endless findings. At some position it calls now.
type endlessFinding struct {
	left   string
	n, at  int
	now    func()
	beyond atomic.Bool // more than twice at bytes were read; atomic, because a read may outlast an interrupt
}

const oneFinding = `{"rule":"WC101","level":"error","place":{"text":"catalog"},"message":"m"},`

func (e *endlessFinding) Read(p []byte) (int, error) {
	if e.left == "" {
		e.left = oneFinding
	}
	n := copy(p, e.left)
	e.left = e.left[n:]
	before := e.n
	e.n += n
	if before < e.at && e.n >= e.at {
		e.now()
	}
	if e.n > 2*e.at {
		e.beyond.Store(true)
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}

// An interrupt ends the reading of results in the middle of a record, which is not shown then.
func TestRecordIsInterrupted(t *testing.T) {
	const head = `{"schema":"webcap.audit/1","tool":{},"rules":[{"id":"WC101","level":"error","clause":"c","title":"T."}],"inputs":[{"path":"a.pdf","outcome":"findings","file":{},"findings":[`
	ctx, interrupt := context.WithCancelCause(t.Context())
	in := &endlessFinding{left: head, at: 1 << 20, now: func() { interrupt(errInterrupted) }}
	var said strings.Builder
	s := &joinedResults{p: &program{stdin: in, stderr: &said}}
	c := cli.NewContext(nil, nil, &cli.Context{Context: ctx})
	s.open(ctx, []string{"-"})
	if len(s.list) != 1 {
		t.Fatal(said.String())
	}
	for rec := range s.records(c) {
		t.Errorf("a record of %d findings", len(rec.Report.Findings))
	}
	if in.beyond.Load() || said.Len() > 0 {
		t.Errorf("more than %d bytes were read: %v; it said %q", 2*in.at, in.beyond.Load(), said.String())
	}
}
