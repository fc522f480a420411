package rewrite

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

var update = flag.Bool("update", false, "rewrite the section rewritten of the cases in testdata/audit")

// planOf plans the repair of the PDF that data holds.
func planOf(t testing.TB, data []byte, opt Options) *Plan {
	t.Helper()
	p, err := NewPlan(t.Context(), opened(t, data, opt), opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// carryOut returns the rewritten file, verified.
func carryOut(t testing.TB, p *Plan) []byte {
	t.Helper()
	out := written(t, p)
	if _, err := p.verifyFile(opened(t, out, p.opt)); err != nil {
		t.Fatal(err)
	}
	return out
}

// written returns the rewritten file, not verified.
func written(t testing.TB, p *Plan) []byte {
	t.Helper()
	var b bytes.Buffer
	write := p.rounds.last.update.WriteIncrement
	if p.rounds.last.file.Appendable() != nil {
		write = p.rounds.last.update.WriteFull
	}
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pdf returns the PDF that a text describes.
func pdf(t testing.TB, objects string) []byte {
	t.Helper()
	doc, err := webcapturetest.Parse(objects)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Bytes(webcapturetest.Layout{})
}

// opened opens the PDF that data holds.
func opened(t testing.TB, data []byte, opt Options) *webcapture.File {
	t.Helper()
	f, err := webcapture.New(context.Background(), data, webcapture.Options{Passwords: opt.Passwords})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// checkRewrite plans and carries out a repair, and makes sure that nothing is
// left that could be repaired, that nothing is lost, and that there is nothing to
// do a second time. It returns the plan and the rewritten file.
func checkRewrite(t testing.TB, data []byte) (*Plan, []byte) {
	t.Helper()
	p := planOf(t, data, Options{})
	if p.Empty() {
		return p, data
	}
	out := carryOut(t, p)
	if !bytes.HasPrefix(out, data) && p.rounds.last.file.Appendable() == nil {
		t.Error("the file is not the beginning of the rewritten one")
	}
	again := planOf(t, out, Options{})
	for _, s := range again.Steps {
		t.Errorf("left for a second time: %v", s)
	}
	checkNothingLost(t, p, again)
	return p, out
}

// checkNothingLost checks that each tree still has all content sets that it had before a repair.
func checkNothingLost(t testing.TB, before, after *Plan) {
	t.Helper()
	was, is := before.rounds.last.state, after.rounds.last.state
	for _, tree := range was.db.Trees() {
		found := map[string]bool{}
		for _, e := range is.db.Tree(tree.Name).Entries() {
			for _, forms := range formsIn(is.file.NewReader(), e.Value) {
				for _, f := range forms {
					found[f] = true
				}
			}
		}
		for _, e := range tree.Entries() {
			for _, forms := range formsIn(was.file.NewReader(), e.Value) {
				if !slices.ContainsFunc(forms, func(f string) bool { return found[f] }) {
					t.Errorf("%s does not lead to %s any more", tree.Name, forms)
				}
			}
		}
	}
}

// TestCases rewrites every case of the audit. The section rewritten of a case has
// the steps, and what is left.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/audit/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := webcapturetest.Parse(string(archive.Files[0].Data))
			if err != nil {
				t.Fatal(err)
			}
			p, _ := checkRewrite(t, doc.Bytes(webcapturetest.Layout{}))
			checkSection(t, path, archive, describe(p))
			checkRewrite(t, doc.Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 3}))
		})
	}
}

// stepLines returns steps on a line each.
func stepLines(steps []Step) string {
	var lines []string
	for _, s := range steps {
		lines = append(lines, s.String())
	}
	return strings.Join(lines, "\n")
}

// describe returns the steps of a plan, and the remaining findings with a fix, in the form of cases.
func describe(p *Plan) string {
	var b strings.Builder
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "%s: %v\n", strings.Join(s.Rules, ","), s)
	}
	for _, l := range p.Left {
		if l.Finding.Fix == nil {
			continue // as the rule says
		}
		fmt.Fprintf(&b, "left: %s: %v: %s\n", l.Finding.Rule.ID, l.Finding.Place, l.Reason)
	}
	return b.String()
}

// checkSection compares text with the section rewritten of a case.
func checkSection(t *testing.T, path string, archive *txtar.Archive, text string) {
	t.Helper()
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "rewritten" })
	was := ""
	if i >= 0 {
		was = string(archive.Files[i].Data)
	}
	if was == text {
		return
	}
	if *update {
		if i < 0 {
			archive.Files = append(archive.Files, txtar.File{Name: "rewritten"})
			i = len(archive.Files) - 1
		}
		archive.Files[i].Data = []byte(text)
		if text == "" {
			archive.Files = slices.Delete(archive.Files, i, i+1)
		}
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the plan is\n%s\nshould be\n%s", text, was)
}
