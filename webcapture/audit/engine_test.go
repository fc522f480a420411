package audit

import (
	"errors"
	"runtime"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestWorkersFailLikeTheCaller: what goes wrong in one of many goroutines ends the audit,
// and not the program, which may have other files to audit.
func TestWorkersFailLikeTheCaller(t *testing.T) {
	const n = 2*engine.Chunk + 1
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	f := openData(t, webcapturetest.Sets(n, webcapturetest.Options{Leaf: 64}).Bytes(plainLayout))
	disk := errors.New("the disk has failed")
	for i := 0; i < n; i += engine.Chunk {
		audit := func(fail func(p *rule.Pass)) (recovered any, err error) {
			defer func() { recovered = recover() }()
			r := &rule.Rule{ID: "WC000", CheckURL: func(p *rule.Pass, e *rule.Entry) {
				if e.Index == i {
					fail(p)
				}
			}}
			_, err = Run(f, Options{Rules: []*rule.Rule{r}})
			return nil, err
		}
		if recovered, err := audit(func(*rule.Pass) { panic(disk) }); recovered != disk {
			t.Errorf("entry %d: %v, and %v was recovered", i, err, recovered)
		}
		if recovered, err := audit(func(p *rule.Pass) { p.CouldNotRead(rule.Place{}, disk) }); err != disk ||
			recovered != nil {
			t.Errorf("entry %d: %v, and %v was recovered", i, err, recovered)
		}
		if recovered, err := audit(func(*rule.Pass) {}); err != nil || recovered != nil {
			t.Errorf("entry %d: %v, and %v was recovered", i, err, recovered)
		}
	}
}
