package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var ImageCount = &rule.Rule{
	ID:      "WC510",
	Title:   "R is the number of pages that show the image.",
	Problem: "Images with a wrong reference count",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   rule.Warning,
	Doc: "R tells a viewer when no page shows the image any more, so that it can remove the image. webcap counts " +
		"as Acrobat does: each page that uses the image through its resources or those of forms. Patterns do not " +
		"count.",
	Repair:      "None: the meaning of R is not settled, and Acrobat's own counts ignore patterns.",
	CheckMember: checkImageCount,
}

func checkImageCount(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	in, ok := m.First(webcapture.ImageSet)
	if !ok || in.Count < 0 || !doc.Counted || !m.Fits(webcapture.ImageSet, doc) || len(m.Sets(webcapture.ImageSet)) > 1 {
		return
	}
	if uses := doc.Uses(m.Ref); in.Count != uses {
		p.Reportf(m.At(in), nil, "R of the image is %d, expected %d, the number of pages that show it", in.Count, uses)
	}
}
