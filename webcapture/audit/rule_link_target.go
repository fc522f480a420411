package audit

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

var linkTarget = &Rule{
	ID:      "WC529",
	Title:   "The URL in PA of a link is a key of URLS.",
	Problem: "Links name URLs that URLS does not know",
	Clause:  "ISO 32000-2:2020, 12.5.6.5, table 176, and 14.10.3.2",
	Level:   Warning,
	Doc: "The link was turned into one to a captured page because the content database had its URL. It no " +
		"longer has it, so the target is gone, or cannot be found under the URL by which others will look " +
		"for it.",
	Repair:    "None: a viewer may restore the link by PA.",
	MayFollow: []Action{RemoveEntry, RemoveSet, Rebuild},
	CheckPage: checkLinkTarget,
}

func checkLinkTarget(p *Pass, pg *Page, doc *Document) {
	for a := range pg.Annotations(p) {
		pa, uri, ok := p.retained(a)
		d, _ := pa.Dict()
		if !ok || !doc.whole[webcapture.URLS] || !p.isURI(a, d) {
			continue
		}
		if u := canon.Split(uri.Bytes); len(u.Scheme) == 0 {
			continue // relative to a page that is not known
		}
		if !p.hasURL(uri.Bytes) {
			p.Reportf(a.At(), nil, "URI of PA is %v, and %v is not a key of URLS", nametree.Key(uri.Bytes), nametree.Key(canon.PDF.Append(nil, uri.Bytes)))
		}
	}
}
