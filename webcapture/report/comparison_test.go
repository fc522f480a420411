package report

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// TestComparisonWithPdfcpu checks what docs/comparison.md says about pdfcpu. If a later version does better, the page
// needs a new text.
func TestComparisonWithPdfcpu(t *testing.T) {
	api.DisableConfigDir()
	broken := func(path string) []string {
		rep, err := audit.File(t.Context(), path, audit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var rules []string
		for _, f := range rep.Findings {
			rules = append(rules, f.Rule.ID)
		}
		slices.Sort(rules)
		return slices.Compact(rules)
	}
	site, damaged := "../../testdata/site.pdf", "../../testdata/site-optimized.pdf"

	if err := api.ValidateFile(damaged, nil); err != nil {
		t.Errorf("pdfcpu rejects the damaged file: %v", err)
	}
	if rules := broken(damaged); !slices.Contains(rules, "WC303") {
		t.Errorf("the damaged file breaks %v", rules)
	}
	strict := model.NewDefaultConfiguration()
	strict.ValidationMode = model.ValidationStrict
	if err := api.ValidateFile(site, strict); err == nil || !strings.Contains(err.Error(), "entry=TS invalid date") {
		t.Errorf("pdfcpu in strict mode: %v, want an invalid date", err)
	}
	if rules := broken(site); len(rules) > 0 {
		t.Errorf("%s breaks %v", site, rules)
	}
	optimized := filepath.Join(t.TempDir(), "optimized.pdf")
	if err := api.OptimizeFile(site, optimized, nil); err != nil {
		t.Fatal(err)
	}
	if rules := broken(optimized); !slices.Contains(rules, "WC303") {
		t.Errorf("after pdfcpu optimize the file breaks %v", rules)
	}
}
