package report

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The output of each format for two captures damaged by pdfcpu optimize, a synthetic and a real one, equals golden
// files that a person has checked; the table has 80 columns. Pictures and the style and script of the page are
// omitted: they have their own tests.
func TestDamagedCaptureGolden(t *testing.T) {
	t.Run("damaged", func(t *testing.T) {
		damagedGolden(t, "damaged", &Record{Path: "site-optimized.pdf",
			Report: fileReport(t, "../../testdata/site-optimized.pdf")})
	})
	t.Run("damaged-real", func(t *testing.T) { damagedGolden(t, "damaged-real", realRecord(t)) })
}

func damagedGolden(t *testing.T, folder string, rec *Record) {
	o := Options{Head: Head{Rules: audit.Rules(), Version: "v1.0.0"}, Base: "/srv/site", Time: day, Width: 80}
	changing := regexp.MustCompile(`(?s)(<style>).*?(</style>)|(<script>).*?(</script>)|(sha256-)[^ ;"]*|(base64,|"picture":")[^"]*`)
	for _, f := range all {
		text := changing.ReplaceAllString(rendered(t, f, o, Complete, rec), "$1$2$3$4$5$6")
		layouttest.Golden(t, filepath.Join(golden, folder, f.Name), text)
	}
}

// realRecord returns the audit record of a real capture of a site, damaged by pdfcpu optimize.
func realRecord(t *testing.T) *Record {
	t.Helper()
	paths := webcapturetest.NeedCorpus(t, "real/pdfcpu+pdfcpu__sample01")
	path := filepath.Join(t.TempDir(), "capture.pdf")
	if err := api.OptimizeFile(paths[0], path, nil); err != nil {
		t.Fatal(err)
	}
	rep := fileReport(t, path)
	rep.Size = 0 // differs each time that pdfcpu writes the file
	return &Record{Path: "capture.pdf", Report: rep}
}

func fileReport(t *testing.T, path string) *audit.Report {
	t.Helper()
	rep, err := audit.File(t.Context(), path, audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rep.Path = filepath.Base(path)
	return rep
}
