package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var imageDigest = &rule.Rule{
	ID:      "WC511",
	Title:   "If an image is stored as it was fetched, its ID is the MD5 of its data.",
	Problem: "Images whose data does not match their ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Note,
	Doc: "The ID of an image set is the MD5 of the image file. Acrobat stores JPEG and JPEG 2000 files as it fetched " +
		"them, so a match proves where the image is from. If the MD5 is not the ID, the image was re-encoded or " +
		"replaced, or the ID belongs to something else. Images in other encodings cannot be checked. The report " +
		"counts the images that match, those that differ, and those that cannot be checked.",
	Repair:      "None: the data may have changed since the capture.",
	CheckMember: checkImageDigest,
}

func checkImageDigest(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	if sum, in, differ := checkDigest(p, m, doc); differ {
		p.Reportf(m.At(in), nil, "the MD5 of the image data is %v, which is not the ID", nametree.Key(sum[:]))
	}
}
