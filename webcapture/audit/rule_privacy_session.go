package audit

var privacySession = &Rule{
	ID:      "WC703",
	Title:   "Keys of URLS hold no session identifiers.",
	Problem: "Keys of URLS hold session identifiers",
	Clause:  "webcap",
	Level:   Note,
	Doc: "The URL carries what looks like the identifier of somebody's session. It may still be valid, " +
		"and it differs with every visit, so that the page is not found by its URL again.",
	Repair:    "None.",
	MayFollow: []Action{ChangeKey, AddKey, RestoreKeys, Rebuild},
	CheckURL:  checkPrivacySession,
}

func checkPrivacySession(p *Pass, e *Entry) {
	if name := sessionParameter(e.Key); name != "" {
		p.Reportf(e.At(), nil, "key %v has the parameter %s, which looks like a session identifier", e.Key, name)
	}
}
