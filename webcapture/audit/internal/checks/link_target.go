package checks

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var linkTarget = &rule.Rule{
	ID:      "WC529",
	Title:   "The URL in PA of a link is a key of URLS.",
	Problem: "Links to captured pages whose URL is not in URLS",
	Clause:  "ISO 32000-2:2020, 12.5.6.5, table 176, and 14.10.3.2",
	Level:   rule.Warning,
	Doc: "The link was changed to lead to a captured page, because URLS had its URL. URLS no longer has it. The " +
		"target is gone, or viewers cannot find it by this URL.",
	Repair:    "None: a viewer may restore the link from PA.",
	MayFollow: []rule.Action{rule.RemoveEntry, rule.RemoveSet, rule.Rebuild},
	CheckPage: checkLinkTarget,
}

func checkLinkTarget(p *rule.Pass, pg *rule.Page, doc *rule.Document) {
	for a := range pg.Annotations(p) {
		pa, uri, ok := retainedAction(p, a)
		d, _ := pa.Dict()
		if !ok || !doc.WholeTrees[webcapture.URLS] || !isURI(p, a, d) {
			continue
		}
		if u := canon.Split(uri.Bytes); len(u.Scheme) == 0 {
			continue // relative to an unknown page
		}
		if !isKeyOf(p, uri.Bytes) {
			p.Reportf(a.At(), nil, "URI of PA is %v, but %v is not a key of URLS", nametree.Key(uri.Bytes),
				nametree.Key(canon.PDF.Append(nil, uri.Bytes)))
		}
	}
}
