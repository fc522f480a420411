package audit

var urlLocalhost = &Rule{
	ID:       "WC206",
	Title:    "A file URL among the keys of URLS does not name localhost.",
	Problem:  "File URLs among the keys of URLS name localhost",
	Clause:   "ISO 32000-2:2020, 14.10.3.2 e",
	Level:    Error,
	Doc:      "A viewer drops localhost from a file URL before it looks it up, so the key is never found.",
	Repair:   "The host is dropped.",
	Action:   ChangeKey,
	CheckURL: checkURLLocalhost,
}

func checkURLLocalhost(p *Pass, e *Entry) {
	reportStep(p, e, 'e')
}
