package audit_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A program that changes a file with pdfcpu audits the result before it writes the file. pdfcpu converts the keys of
// IDS when it reads the file.
func ExampleRun_pdfcpu() {
	api.DisableConfigDir()
	pdf, err := api.ReadContextFile("../../testdata/site.pdf")
	if err != nil {
		fmt.Println(err)
		return
	}
	// … changes of the program …
	f, err := webcapture.FromPdfcpu(context.Background(), pdf)
	if err != nil {
		fmt.Println(err)
		return
	}
	rep, err := audit.Run(f, audit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(rep.Findings), "findings, such as", rep.Findings[1].Rule.Problem)
	// Output:
	// 7 findings, such as IDS keys stored as text
}

// TestFromPdfcpu: before pdfcpu validates it, a context has the findings of its file.
func TestFromPdfcpu(t *testing.T) {
	api.DisableConfigDir()
	paths, err := filepath.Glob("../../testdata/*.pdf")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			pdf, err := pdfcpu.ReadFile(path, model.NewDefaultConfiguration())
			if err != nil {
				t.Fatal(err)
			}
			f, err := webcapture.FromPdfcpu(t.Context(), pdf)
			if err != nil {
				t.Fatal(err)
			}
			got, err := audit.Run(f, audit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := audit.File(t.Context(), path, audit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if a, b := findings(got), findings(want); a != b {
				t.Errorf("the context has the findings\n%sthe file has\n%s", a, b)
			}
			if f.WithoutXRef() || len(f.Notices()) > 0 {
				t.Errorf("repaired: %v, notices: %v", f.WithoutXRef(), f.Notices())
			}
		})
	}
	if _, err := webcapture.FromPdfcpu(t.Context(), &model.Context{XRefTable: &model.XRefTable{}}); err == nil {
		t.Error("a context without a catalog can be audited")
	}
}

func findings(rep *audit.Report) string {
	var text strings.Builder
	for _, f := range rep.Findings {
		fmt.Fprintln(&text, f)
	}
	return text.String()
}
