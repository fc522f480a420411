package audit

var setOneTree = &Rule{
	ID:     "WC307",
	Title:  "A content set is reachable from both trees.",
	Clause: "ISO 32000-2:2020, 14.10.3.2 and 14.10.3.3",
	Level:  Note,
	Doc: "Either mapping may be left out, so this is legal. A set that is only in one tree, and that has " +
		"no usable URL or ID to be found by in the other, cannot be looked up both ways.",
	Repair:     "None: the missing URL or ID is not known.",
	CheckLinks: checkSetOneTree,
}

func checkSetOneTree(p *Pass, l *Links) {
	if isEmpty(p.DB.URLS) || isEmpty(p.DB.IDS) {
		return
	}
	if _, ok := l.Identifier(); !ok && len(l.IDS) == 0 {
		p.Reportf(l.At(), nil, "only in URLS, and without an ID to stand under in IDS")
	}
	if len(l.URLS) == 0 && !l.hasURL() {
		p.Reportf(l.At(), nil, "only in IDS, and without a URL to stand under in URLS")
	}
}
