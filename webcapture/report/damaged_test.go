package report

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
)

// What each format makes of a capture that pdfcpu optimize went over stands in files that somebody
// has read. Pictures and the style and script of the page are left out: they have tests of their own.
func TestDamagedCaptureGolden(t *testing.T) {
	rep, err := audit.File("../../testdata/site-optimized.pdf", audit.Options{Outline: true})
	if err != nil {
		t.Fatal(err)
	}
	rec := &Record{Path: "site-optimized.pdf", Report: rep}
	o := Options{Head: Head{Rules: audit.Rules(), Version: "v1.0.0"}, Base: "/srv/site", Time: day}
	changing := regexp.MustCompile(`(?s)(<style>).*?(</style>)|(<script>).*?(</script>)|(sha256-)[^ ;"]*|(base64,|"picture":")[^"]*`)
	for _, f := range Formats() {
		if f.Files != nil { // not text
			continue
		}
		for _, out := range rendered(t, f, o, Complete, rec) {
			text := changing.ReplaceAllString(out.text, "$1$2$3$4$5$6")
			layouttest.Golden(t, filepath.Join(golden, "damaged", out.name), text)
		}
	}
}
