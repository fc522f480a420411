package rewrite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestAuditAndRewriteAgree: each finding that an audit counts as repairable is repaired by a rewrite that names no
// rules, in real files, in the cases of the audit, and in mutants.
func TestAuditAndRewriteAgree(t *testing.T) {
	check := func(name string, data []byte) {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, data, Options{Passwords: []string{audittest.Password}})
			for _, l := range p.Left {
				if l.Finding.Fix == nil || l.Finding.Rule.OnRequest {
					continue
				}
				t.Errorf("the audit promises a repair of %v, but %s", l.Finding, l.Reason)
			}
		})
	}
	paths, _ := filepath.Glob("../../testdata/*.pdf")
	for _, path := range append(paths, webcapturetest.Corpus("real")...) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		check(filepath.Base(path), data)
	}
	cases, err := filepath.Glob("../../testdata/audit/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		check(strings.TrimSuffix(filepath.Base(path), ".txtar"), pdf(t, string(archive.Files[0].Data)))
	}
	for _, base := range audittest.Bases(t) {
		if !webcapturetest.All() && !base.Generated {
			continue
		}
		for _, op := range audittest.Mutations {
			if data, ok := base.Break(op); ok {
				check(fmt.Sprintf("%s, %s %s", base.Name, op.Rule, op.Name), data)
			}
		}
	}
}
