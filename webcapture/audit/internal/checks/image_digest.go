package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var imageDigest = &rule.Rule{
	ID:      "WC511",
	Title:   "The ID of an image that is stored as it was fetched is the MD5 of its data.",
	Problem: "The data of images does not match their ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Note,
	Strict:  rule.Warning,
	Doc: "The digital identifier of an image set is the MD5 of the image file. A JPEG file is stored as it " +
		"was fetched, so its data prove where it comes from: equal is verified. When they differ, the " +
		"image was encoded anew or exchanged since, or its ID is that of something else. What was stored " +
		"in another encoding cannot be checked. The report counts all three.",
	Repair:      "None: the data may have changed since the capture.",
	CheckMember: checkImageDigest,
}

func checkImageDigest(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	if sum, in, differ := checkDigest(p, m, doc); differ {
		p.Reportf(m.At(in), nil, "the data of the image have the MD5 %v, which is not its ID", nametree.Key(sum[:]))
	}
}
