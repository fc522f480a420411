package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var ImageCount = &rule.Rule{
	ID:      "WC510",
	Title:   "R says how many pages show the image.",
	Problem: "Reference counts of images are wrong",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   rule.Warning,
	Doc: "R tells a viewer when nothing shows the image any more, so that it may go. Counted are the pages " +
		"that lead to it through their resources and those of forms, each once, but not through patterns: " +
		"so does Acrobat.",
	Repair:      "None: what R counts is not settled, and Acrobat's own counts leave patterns out.",
	CheckMember: checkImageCount,
}

func checkImageCount(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	in, ok := m.First(webcapture.ImageSet)
	if !ok || in.Count < 0 || !doc.Counted || !m.Fits(webcapture.ImageSet, doc) || len(m.Sets(webcapture.ImageSet)) > 1 {
		return
	}
	if uses := doc.Uses(m.Ref); in.Count != uses {
		p.Reportf(m.At(in), nil, "R of the image is %d, should be %d, the number of pages that show it", in.Count, uses)
	}
}
